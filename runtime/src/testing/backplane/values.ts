import { same, sleep, until } from "../suite-checks.js";
import { startLife, timed } from "../timed-behaviour.js";
import { type BackplaneBehaviour, behaviour, longMs, shortMs } from "./backplane-behaviour.js";

const kept = { ttlMs: longMs };
const text = "é\u0000\n😀{}";

/** What every backplane does with values. */
export const values: readonly BackplaneBehaviour[] = [
  behaviour("a value that one node sets is found by the others, unchanged", async ({ a, b }) => {
    same("a value that was not set", await b.get("k"), undefined);
    const version = await a.set("k", text, kept);
    same("the value", await b.get("k"), { text, version });
    await b.set("k", "", kept);
    same("an empty text", (await a.get("k"))?.text, "");
  }),

  behaviour("values of different keys are separate, with any characters", async ({ a, b }) => {
    const keys = ["k", "K", "k ", "k:1", "{k}", "k}", "*", "é", "k\n", "__proto__", "x".repeat(500)];
    for (const [at, key] of keys.entries()) await a.set(key, String(at), kept);
    for (const [at, key] of keys.entries()) same(JSON.stringify(key), (await b.get(key))?.text, String(at));
  }),

  behaviour("a value is set only if the stored one has the version that the caller knows", async ({ a, b }) => {
    const first = await a.set("k", "1", { ...kept, ifVersion: null });
    same(
      "setting a value that exists, if there is none",
      await b.set("k", "2", { ...kept, ifVersion: null }),
      undefined,
    );
    const second = await b.set("k", "2", { ...kept, ifVersion: first ?? "" });
    same("setting with a version of the past", await a.set("k", "3", { ...kept, ifVersion: first ?? "" }), undefined);
    same("the value", await a.get("k"), { text: "2", version: second });
    same("setting a value that does not exist", await a.set("other", "1", { ...kept, ifVersion: "0" }), undefined);
    same("its value", await b.get("other"), undefined);
  }),

  behaviour("of changes from the same version at the same time, one happens", async ({ a, b }) => {
    const first = (await a.set("k", "0", kept)) ?? "";
    const changes = Array.from({ length: 40 }, async (_, at) =>
      (at % 2 ? a : b).set("k", String(at), { ...kept, ifVersion: first }),
    );
    const versions = (await Promise.all(changes)).map((version, at) => ({ version, at }));
    const winners = versions.filter(({ version }) => version !== undefined);
    same("the number of changes that happened", winners.length, 1);
    same("the value", await a.get("k"), { text: String(winners[0]?.at), version: winners[0]?.version });
  }),

  behaviour("concurrent increments by compare-and-set lose none", async ({ a, b }) => {
    await a.set("n", "0", kept);
    const increment = async (node: typeof a): Promise<void> => {
      for (;;) {
        const known = await node.get("n");
        if (!known) throw new Error("the value is gone");
        if ((await node.set("n", String(Number(known.text) + 1), { ...kept, ifVersion: known.version })) !== undefined)
          return;
      }
    };
    await Promise.all(Array.from({ length: 50 }, (_, at) => increment(at % 2 ? a : b)));
    same("the sum", (await b.get("n"))?.text, "50");
  }),

  behaviour("a value is deleted, or only if it has a version", async ({ a, b }) => {
    same("deleting nothing", await a.delete("k"), false);
    const first = (await a.set("k", "1", kept)) ?? "";
    const second = (await a.set("k", "2", kept)) ?? "";
    same("deleting a version of the past", await b.delete("k", first), false);
    same("deleting", await b.delete("k", second), true);
    same("the value", await a.get("k"), undefined);
    const third = await a.set("k", "2", { ...kept, ifVersion: null });
    same("a version that was used before", [first, second].includes(third ?? ""), false);
  }),

  timed((lifeMs) =>
    behaviour("a value expires, unless it is extended or set again", async ({ a, b }) => {
      const assertInTime = startLife(lifeMs);
      await a.set("expires", "1", { ttlMs: lifeMs });
      await a.set("extended", "1", { ttlMs: lifeMs });
      await a.set("set", "1", { ttlMs: lifeMs });
      const { version = "" } = (await a.get("extended")) ?? {};
      const isExtended = await b.extend("extended", longMs);
      assertInTime();
      same("extending", isExtended, true);
      await b.set("set", "2", kept);
      await sleep(2 * lifeMs);
      same("the expired value", await a.get("expires"), undefined);
      same("extending the expired value", await a.extend("expires", longMs), false);
      same("deleting the expired value", await a.delete("expires"), false);
      same("the extended value", await b.get("extended"), { text: "1", version });
      same("the value that was set again", (await b.get("set"))?.text, "2");
      same(
        "setting the expired value if there is none",
        typeof (await a.set("expires", "3", { ...kept, ifVersion: null })),
        "string",
      );
    }),
  ),

  behaviour("a value can be given a shorter life", async ({ a, b }) => {
    await a.set("k", "1", kept);
    await b.extend("k", shortMs);
    await sleep(2 * shortMs);
    same("the value", await a.get("k"), undefined);
  }),

  behaviour("a thousand values are stored and expire", async ({ a, b }) => {
    const keys = Array.from({ length: 1_000 }, (_, at) => `k${at}`);
    await Promise.all(keys.map(async (key) => a.set(key, key, { ttlMs: 10 * shortMs })));
    const found = await Promise.all(keys.map(async (key) => (await b.get(key))?.text));
    same("the values", found, keys);
    let left = keys.length;
    const count = async (): Promise<void> => {
      left = (await Promise.all(keys.map(async (key) => a.get(key)))).filter(Boolean).length;
      if (left > 0) setTimeout(() => void count(), 100);
    };
    void count();
    await until("all values have expired", () => left === 0);
  }),
];
