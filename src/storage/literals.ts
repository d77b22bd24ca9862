/** Values within a statement, for commands that take none beside it. */
import pg from 'pg';

export function withLiterals(sql: string, values: (string | number)[]): string {
  return sql.replaceAll(/\$(\d+)/g, (_all, nth) => {
    const value = values[Number(nth) - 1];
    // In parentheses, since two minuses would begin a comment.
    if (Number.isInteger(value)) return `(${value})`;
    if (typeof value !== 'string') throw new Error(`$${nth} is ${value}, which is neither a text nor a whole number`);
    return pg.escapeLiteral(value);
  });
}
