/**
 * CRC-32 after ISO 3309, as gzip has it. zlib takes milliseconds to load, which a server that has
 * not stored anything yet should not spend at its start.
 */
export function crc32(data: Uint8Array | string): number {
  return process.getBuiltinModule('node:zlib').crc32(data);
}
