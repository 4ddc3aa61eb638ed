/** Documents of a national register of charging points, as four formats have it. */
import { writeFileSync } from "node:fs";
import { createRng } from "./world.ts";

export type Row = Record<string, string | null>;

const HOURS = ["24/7", "Mo-Fr 08:00-20:00", "Mo 00:00-00:01", "Mo-Su 06:00-23:00"];
const STREETS = ["Rue de la République", "Avenue du Général Leclerc", "Place de l’Hôtel de Ville"];
const OPERATORS = ["Bornes de l’Ouest", "Électricité du Val", "Réseau Lumière", "Parc Énergie"];

/** Rows of stations of 1 to 10 points, as the register has them; the same for the same seed. */
export function* makeRows(count: number, seed: number): Generator<Row, void> {
  const rng = createRng(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(rng() * values.length)]!;
  for (let made = 0, station = 0; made < count; station++) {
    const points = Math.min(count - made, 1 + Math.floor(rng() * 10));
    const code = String(station).padStart(6, "0");
    const operator = pick(OPERATORS);
    const shared = {
      nom_amenageur: operator,
      siren_amenageur: String(100_000_000 + station),
      contact_amenageur: "contact@bornes.example",
      nom_operateur: operator,
      contact_operateur: "contact@bornes.example",
      telephone_operateur: "tel:+33-1-99-00-00-00",
      nom_enseigne: operator,
      id_station_itinerance: `FRTSTP${code}`,
      id_station_local: null,
      nom_station: `Station ${code}, centre-ville`,
      implantation_station: "Parking privé à usage public",
      adresse_station: `${1 + (station % 200)} ${pick(STREETS)}, 35000 Rennes`,
      code_insee_commune: "35238",
      coordonneesXY: `[${(-1.5 + rng() * 8).toFixed(6)}, ${(43.5 + rng() * 6).toFixed(6)}]`,
      nbre_pdc: String(rng() < 0.15 ? points + 1 : points),
    };
    for (let point = 0; point < points; point++, made++) {
      const plug = Math.floor(rng() * 3);
      yield {
        ...shared,
        id_pdc_itinerance: `FRTSTE${code}${point}`,
        id_pdc_local: null,
        puissance_nominale: pick(["7.4", "22.0", "50.0", "150.0", "300.0"]),
        ...{ prise_type_ef: plug === 0 ? "True" : "False", prise_type_2: "True" },
        ...{ prise_type_combo_ccs: plug === 1 ? "True" : "False", prise_type_chademo: "False" },
        prise_type_autre: "False",
        gratuit: rng() < 0.4 ? null : "False",
        ...{ paiement_acte: "True", paiement_cb: "False", paiement_autre: "True" },
        tarification: null,
        condition_acces: "Accès libre",
        reservation: "False",
        horaires: rng() < 0.98 ? "24/7" : pick(HOURS),
        accessibilite_pmr: pick(["Accessibilité inconnue", "Accessible mais non réservé PMR"]),
        restriction_gabarit: "Aucune restriction",
        station_deux_roues: "False",
        raccordement: null,
        num_pdl: "00000000000000",
        date_mise_en_service: "2023-01-18",
        observations: null,
        date_maj: "2026-03-28",
        cable_t2_attache: null,
      };
    }
  }
}

const quoted = (cell: string | null): string =>
  cell === null ? "" : /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export type Document = {
  /** Of the register that reads it. */
  shape: string;
  baseline: string;
  write(file: string, rows: readonly Row[]): void;
};

/** Points put together by their stations. */
function stationsOf(rows: readonly Row[]): Row[][] {
  return [...Map.groupBy(rows, (row) => row["id_station_itinerance"]!).values()];
}

function writeList(file: string, [head, tail]: [string, string], list: readonly object[]): void {
  writeFileSync(file, `${head}${list.map((one) => JSON.stringify(one)).join()}${tail}`);
}

/** By what they are called in the table. */
export const DOCUMENTS: Readonly<Record<string, Document>> = {
  "IRVE, CSV": {
    ...{ shape: "irve", baseline: "csv-parse" },
    write(file, rows) {
      const header = Object.keys(rows[0]!).join();
      const text = rows.map((row) => Object.values(row).map(quoted).join()).join("\n");
      writeFileSync(file, `${header}\n${text}\n`);
    },
  },
  "IRVE, JSON": {
    ...{ shape: "irve", baseline: "JSON lines" },
    write(file, rows) {
      writeFileSync(file, `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
    },
  },
  OICP: {
    ...{ shape: "oicp", baseline: "JSON.parse" },
    write: (file, rows) =>
      writeList(
        file,
        ['{"EVSEData":[{"OperatorName":"Parc","EVSEDataRecord":[', "]}]}"],
        rows.map(toOicp),
      ),
  },
  "DATEX II, JSON": {
    ...{ shape: "datex2_energy", baseline: "JSON.parse" },
    write: (file, rows) =>
      writeList(
        file,
        [
          '{"payload":{"aegiEnergyInfrastructureTablePublication":{"lang":"fr","energyInfrastructureTable":[{"energyInfrastructureSite":[',
          "]}]}}}",
        ],
        stationsOf(rows).map(toDatex),
      ),
  },
  OCPI: {
    ...{ shape: "ocpi_bulk", baseline: "JSON.parse" },
    write: (file, rows) =>
      writeList(file, ['{"status_code":1000,"data":[', "]}"], stationsOf(rows).map(toOcpi)),
  },
};

const positionOf = (row: Row): [number, number] =>
  JSON.parse(row["coordonneesXY"]!) as [number, number];

function toOicp(row: Row): object {
  const [lon, lat] = positionOf(row);
  const name = row["nom_station"];
  return {
    Accessibility: "Paying publicly accessible",
    Address: {
      City: "Rennes",
      Country: "FRA",
      PostalCode: "35000",
      Street: row["adresse_station"],
    },
    AuthenticationModes: ["NFC RFID Classic", "NFC RFID DESFire", "REMOTE"],
    ChargingFacilities: [{ power: row["puissance_nominale"], powertype: "DC" }],
    ChargingStationNames: ["en", "fr", "de"].map((lang) => ({ lang, value: name })),
    EvseID: row["id_pdc_itinerance"],
    GeoCoordinates: { Google: `${lat} ${lon}` },
    IsOpen24Hours: true,
    Plugs: ["CCS Combo 2 Plug (Cable Attached)"],
    HotlinePhoneNumber: "+33199000000",
    ...{ ChargingStationId: row["id_station_itinerance"], EnergySource: null, OpeningTimes: null },
  };
}

function toDatex([first, ...more]: readonly Row[]): object {
  const [longitude, latitude] = positionOf(first!);
  return {
    idG: first!["id_station_itinerance"],
    name: { values: [{ lang: "fr", value: first!["nom_station"] }] },
    locationReference: { locPointLocation: { coordinatesForDisplay: { latitude, longitude } } },
    energyInfrastructureStation: [
      {
        idG: `${first!["id_station_itinerance"]}-1`,
        refillPoint: [first!, ...more].map((row) => ({
          aegiElectricChargingPoint: {
            idG: row["id_pdc_itinerance"],
            connector: [
              {
                connectorType: { value: "iec62196T2COMBO" },
                maxPowerAtSocket: Number(row["puissance_nominale"]) * 1_000,
              },
            ],
          },
        })),
      },
    ],
  };
}

function toOcpi([first, ...more]: readonly Row[]): object {
  const [longitude, latitude] = positionOf(first!).map(String);
  const last_updated = "2026-03-28T10:00:00Z";
  return {
    ...{ country_code: "FR", party_id: "TST", id: first!["id_station_itinerance"], publish: true },
    ...{ name: first!["nom_station"], address: first!["adresse_station"], city: "Rennes" },
    coordinates: { latitude, longitude },
    evses: [first!, ...more].map((row) => ({
      ...{ uid: row["id_pdc_itinerance"], evse_id: row["id_pdc_itinerance"], last_updated },
      status: "AVAILABLE",
      connectors: [
        {
          ...{ id: "1", standard: "IEC_62196_T2_COMBO", format: "CABLE", power_type: "DC" },
          ...{ max_voltage: 400, max_amperage: 125, last_updated },
        },
      ],
    })),
    time_zone: "Europe/Paris",
    last_updated,
  };
}
