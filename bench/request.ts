/** A request of the benchmarks as bytes. */
export function toRequest(path: string, key?: string): Buffer {
  const credential = key === undefined ? "" : `authorization: Bearer ${key}\r\n`;
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential}\r\n`);
}
