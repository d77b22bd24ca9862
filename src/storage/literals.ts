/** Values within a statement, for commands that take none beside it. */
import pg from 'pg';

export function withLiterals(sql: string, values: (string | number)[]): string {
  return sql.replaceAll(/\$(\d+)/g, (_all, nth) => {
    const value = values[Number(nth) - 1];
    if (typeof value === 'number') return `${value}`;
    if (value === undefined) throw new Error(`there is no $${nth}`);
    return pg.escapeLiteral(value);
  });
}
