/** A process of the tests: claims all abandoned tasks of a store that it can get, and prints their ids. */
import { SqliteTaskStore } from "../../../../runtime/src/tasks/sqlite/sqlite-task-store.js";
import { openLibsql } from "../../sqlite/open-database.js";

const [path = "", worker = ""] = process.argv.slice(2);
const store = new SqliteTaskStore(openLibsql(path));
await store.heartbeat(worker, 60_000);
const claimed: string[] = [];
for (let left = 1; left > 0;) {
  const records = await store.claimAbandoned(worker, 7);
  claimed.push(...records.map(({ id }) => id));
  left = records.length;
}
store.close();
process.stdout.write(JSON.stringify(claimed));
