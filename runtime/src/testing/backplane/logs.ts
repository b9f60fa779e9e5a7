import type { Backplane } from "../../backplane/backplane.js";
import type { LogEntry } from "../../backplane/backplane-store.js";
import { followLog } from "../../backplane/follow-log.js";
import { same, sleep, until } from "../suite-checks.js";
import { startLife, timed } from "../timed-behaviour.js";
import { type BackplaneBehaviour, behaviour, bounds } from "./backplane-behaviour.js";

async function fill(node: Backplane, log: string, texts: readonly string[], options = bounds): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push(await node.append(log, text, options));
  return ids;
}

const textsOf = ({ entries }: { readonly entries: readonly LogEntry[] }): string[] => entries.map(({ text }) => text);
const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

/** What every backplane does with logs. */
export const logs: readonly BackplaneBehaviour[] = [
  behaviour("entries are read in their order, from the start or after one of them, in pages", async ({ a, b }) => {
    const ids = await fill(a, "log", numbers(25));
    same("unique ids", new Set(ids).size, 25);
    same(
      "ids of the wrong form",
      ids.filter((id) => !/^[!-~]{1,64}$/.test(id) || id.includes("_")),
      [],
    );
    const all = await b.read("log", { limit: 100 });
    same("all entries", all, { entries: ids.map((id, at) => ({ id, text: String(at) })), hasGap: false });
    same("a page", textsOf(await b.read("log", { limit: 3 })), ["0", "1", "2"]);
    same("the next page", textsOf(await b.read("log", { after: ids[2], limit: 2 })), ["3", "4"]);
    same("after the last one", await b.read("log", { after: ids[24], limit: 5 }), { entries: [], hasGap: false });
  }),

  behaviour("a log that does not exist is empty, and has a gap after any entry", async ({ a, b }) => {
    const [id = ""] = await fill(a, "log", ["1"]);
    same("without an entry", await b.read("none", { limit: 1 }), { entries: [], hasGap: false });
    for (const after of [id, "", "0", "x", "-", `${id}0`, "9".repeat(100), "\n"])
      same(`after ${JSON.stringify(after)}`, await b.read("none", { after, limit: 1 }), { entries: [], hasGap: true });
  }),

  behaviour(
    "after an entry that was never there, there is a gap, and the log is read from its start",
    async ({ a, b }) => {
      const [first = "", last = ""] = await fill(a, "log", ["1", "2"]);
      const [other = ""] = await fill(a, "other", ["1"]);
      const forged = ["", "0", "x", `-${last}`, last.replace(/.$/, "~"), first.slice(1), "9".repeat(100)];
      for (const after of other === first ? forged : [...forged, other]) {
        const page = await b.read("log", { after, limit: 5 });
        same(`after ${JSON.stringify(after)}`, [textsOf(page), page.hasGap], [["1", "2"], true]);
      }
    },
  ),

  behaviour("beyond maxEntries, the oldest entries are dropped, which those who need them notice", async ({ a, b }) => {
    const ids = await fill(a, "log", numbers(2_000), { ...bounds, maxEntries: 10 });
    const page = await b.read("log", { limit: 1_000 });
    const kept = page.entries.length;
    if (kept < 10 || kept > 500) throw new Error(`${kept} entries are kept`);
    same("the newest entries", textsOf(page), numbers(2_000).slice(-kept));
    same("the gap after a dropped one", (await b.read("log", { after: ids[0], limit: 1 })).hasGap, true);
    const beforeFirst = await b.read("log", { after: ids[2_000 - kept - 1], limit: 1 });
    same(
      "the gap after the last dropped one",
      [beforeFirst.hasGap, textsOf(beforeFirst)],
      [false, [String(2_000 - kept)]],
    );
  }),

  timed((lifeMs) =>
    behaviour("a log expires after its last entry, and is new when it is written again", async ({ a, b }) => {
      const short = { ...bounds, ttlMs: lifeMs };
      const assertFirstInTime = startLife(lifeMs);
      const old = await fill(a, "log", ["1", "2", "3"], short);
      await sleep(lifeMs / 2);
      const assertLastInTime = startLife(lifeMs);
      old.push(...(await fill(b, "log", ["4"], short)));
      assertFirstInTime();
      await sleep((lifeMs * 3) / 4);
      const before = textsOf(await a.read("log", { limit: 5 }));
      assertLastInTime();
      same("before its end", before, ["1", "2", "3", "4"]);
      await sleep(2 * lifeMs);
      same("after its end", await a.read("log", { limit: 5 }), { entries: [], hasGap: false });
      const fresh = await fill(a, "log", ["5", "6", "7"]);
      same(
        "ids that were used before",
        fresh.filter((id) => old.includes(id)),
        [],
      );
      for (const id of old) same(`the gap after ${id}`, (await b.read("log", { after: id, limit: 5 })).hasGap, true);
      same("after a new entry", textsOf(await b.read("log", { after: fresh[0], limit: 5 })), ["6", "7"]);
    }),
  ),

  behaviour("a dropped log is gone", async ({ a, b }) => {
    same("dropping nothing", await a.drop("log"), false);
    const [id] = await fill(a, "log", ["1"]);
    same("dropping", await b.drop("log"), true);
    same("the log", await a.read("log", { limit: 1 }), { entries: [], hasGap: false });
    await fill(b, "log", ["2"]);
    same("the gap", (await a.read("log", { after: id, limit: 1 })).hasGap, true);
  }),

  behaviour("entries that several nodes append at the same time have one order", async ({ a, b }) => {
    const appended = numbers(200).map(async (text, at) => (at % 2 ? a : b).append("log", text, bounds));
    const ids = await Promise.all(appended);
    const [byA, byB] = [await a.read("log", { limit: 1_000 }), await b.read("log", { limit: 1_000 })];
    same("the number of entries", byA.entries.length, 200);
    same("the order of both nodes", byA, byB);
    same("the ids", new Set(byA.entries.map(({ id }) => id)), new Set(ids));
    for (const parity of [0, 1]) {
      const own = textsOf(byA).filter((text) => Number(text) % 2 === parity);
      same(
        "the order of one node",
        own,
        [...own].sort((one, other) => Number(one) - Number(other)),
      );
    }
  }),

  behaviour("followers get each entry once and in order, those before and those of other nodes", async ({ a, b }) => {
    await fill(a, "log", numbers(150));
    const received: string[] = [];
    let isBusy = false;
    const problems: string[] = [];
    const end = await followLog(b, "log", undefined, {
      async onEntry({ text }) {
        if (isBusy) problems.push(`${text} came too early`);
        isBusy = true;
        await Promise.resolve();
        isBusy = false;
        received.push(text);
      },
      onGap: () => problems.push("gap"),
      onError: (error) => problems.push(error.message),
    });
    for (let number = 150; number < 300; number++) await (number % 3 ? a : b).append("log", String(number), bounds);
    await until("all entries have arrived", () => received.length >= 300);
    same("the entries", received, numbers(300));
    end();
    await a.append("log", "300", bounds);
    await sleep(20);
    same("after the end", [received.length, problems], [300, []]);
  }),

  behaviour("a follower that is too slow learns of the gap, and goes on", async ({ a, b }) => {
    const [first] = await fill(a, "log", ["first"], { ...bounds, maxEntries: 10 });
    const received: string[] = [];
    await fill(a, "log", numbers(1_500), { ...bounds, maxEntries: 10 });
    const end = await followLog(b, "log", first, {
      onEntry: ({ text }) => void received.push(text),
      onGap: () => received.push("gap"),
      onError: (error) => received.push(error.message),
    });
    await until("the last entry has arrived", () => received.at(-1) === "1499");
    end();
    same("gaps", [received[0], received.filter((text) => text === "gap").length], ["gap", 1]);
    same("the entries", received.slice(1), numbers(1_500).slice(1 - received.length));
  }),
];
