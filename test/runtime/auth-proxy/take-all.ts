/** A process of the tests: takes the values with the ids from 0 of a store, and prints those that it got. */
import { openSqliteStore } from "../../../runtime/src/auth-proxy/open-sqlite-store.js";

const [path = "", ids = "0"] = process.argv.slice(2);
const store = await openSqliteStore(path);
const taken: string[] = [];
for (let at = 0; at < Number(ids); at++) {
  const value = store.take("code", `${at}`);
  if (value === undefined) continue;
  taken.push(value);
  store.set("taken", value, value);
}
store.close();
process.stdout.write(JSON.stringify(taken));
