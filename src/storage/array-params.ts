/**
 * Arrays as parameters. Most are in Postgres's binary format: it reads them in half the time that JSON takes, since there are no names
 * in them and nothing is escaped.
 */

const [BOOL, INT4, TEXT] = [16, 23, 25];
/** How many dimensions there are, whether there may be nulls, the type; of the one dimension its length and its first index. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

export function textArray<Row>(rows: Row[], column: (row: Row) => string | null): Buffer {
  const values = rows.map(column);
  let bytes = 0;
  for (const value of values) if (value !== null) bytes += Buffer.byteLength(value);
  const array = arrayOf(TEXT, values.length, bytes);
  let at = HEADER_BYTES;
  for (const value of values) {
    const length = value === null ? 0 : array.write(value, at + LENGTH_BYTES);
    array.writeInt32BE(value === null ? NULL_LENGTH : length, at);
    at += LENGTH_BYTES + length;
  }
  return array;
}

export function intArray<Row>(rows: Row[], column: (row: Row) => number): Buffer {
  const array = arrayOf(INT4, rows.length, 4 * rows.length);
  let at = HEADER_BYTES;
  for (const row of rows) at = array.writeInt32BE(column(row), array.writeInt32BE(4, at));
  return array;
}

export function booleanArray<Row>(rows: Row[], column: (row: Row) => boolean): Buffer {
  const array = arrayOf(BOOL, rows.length, rows.length);
  let at = HEADER_BYTES;
  for (const row of rows) at = array.writeUInt8(Number(column(row)), array.writeInt32BE(1, at));
  return array;
}

function arrayOf(type: number, length: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(HEADER_BYTES + length * LENGTH_BYTES + bytes);
  let at = 0;
  for (const field of [1, 1, type, length, 1]) at = array.writeInt32BE(field, at);
  return array;
}

/** Whole numbers of any size, and keys, which are given as texts. As text, since pg itself quotes and escapes each element. */
export const wholeArray = <Row>(rows: Row[], column: (row: Row) => number | string): string =>
  `{${rows.map(column).join()}}`;
