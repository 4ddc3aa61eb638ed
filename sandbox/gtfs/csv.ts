// CSV as RFC 4180 has it, and as publishers bend it.

export type Row = Readonly<Record<string, string | number>>;

export type CsvStyle = {
  readonly bom: boolean;
  readonly crlf: boolean;
  readonly quoted: boolean;
  /** Columns that are empty in every row are left out. */
  readonly lean: boolean;
};

export function toCsv(columns: readonly string[], rows: readonly Row[], style: CsvStyle): string {
  const listed = style.lean
    ? columns.filter((column) => rows.some((row) => (row[column] ?? "") !== ""))
    : columns;
  const end = style.crlf ? "\r\n" : "\n";
  const lines = [
    listed.join(","),
    ...rows.map((row) => listed.map((column) => toField(row[column], style)).join(",")),
  ];
  return `${style.bom ? "\uFEFF" : ""}${lines.join(end)}${end}`;
}

function toField(value: string | number | undefined, { quoted }: CsvStyle): string {
  const text = String(value ?? "");
  return quoted || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
