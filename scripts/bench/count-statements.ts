import { StatementSync } from "node:sqlite";
import pg from "pg";

/**
 * Counts the statements that this process has databases execute from now on, those that begin and end transactions
 * included. Gives what tells how many there have been.
 */
export function countStatements(): () => number {
  let count = 0;
  const counted = <Method extends (this: never, ...args: never[]) => unknown>(method: Method): Method =>
    new Proxy(method, {
      apply(target, self, args) {
        count++;
        return Reflect.apply(target, self, args);
      },
    });
  pg.Client.prototype.query = counted(pg.Client.prototype.query);
  StatementSync.prototype.all = counted(StatementSync.prototype.all);
  StatementSync.prototype.run = counted(StatementSync.prototype.run);
  return () => count;
}
