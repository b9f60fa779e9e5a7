/** The store of a proxy that several machines share, each with an instance of its own. */
import { describe, expect, test, vi } from "vitest";
import { BackplaneProxyStore } from "../../../runtime/src/auth-proxy/backplane.js";
import { ProxyStoreError } from "../../../runtime/src/auth-proxy.js";
import { BackplaneError, MemoryBackplane, type SetOptions, type StoredValue } from "../../../runtime/src/backplane.js";

/** A backplane that responds later, in any order, and fails on demand. */
class SlowBackplane {
  readonly inner = new MemoryBackplane();
  readonly keys = new Set<string>();
  failing: ((call: string, key: string) => unknown) | undefined;
  rejectsChanges = false;
  #count = 0;

  get(key: string): Promise<StoredValue | undefined> {
    return this.#later("get", key, () => this.inner.get(key));
  }

  set(key: string, text: string, options: SetOptions): Promise<string | undefined> {
    this.keys.add(key);
    return this.#later("set", key, () =>
      this.rejectsChanges && options.ifVersion !== undefined ? undefined : this.inner.set(key, text, options),
    );
  }

  extend(key: string, ttlMs: number): Promise<boolean> {
    return this.#later("extend", key, () => this.inner.extend(key, ttlMs));
  }

  delete(key: string, ifVersion?: string): Promise<boolean> {
    return this.#later("delete", key, () => this.inner.delete(key, ifVersion));
  }

  async #later<Value>(call: string, key: string, act: () => Value): Promise<Value> {
    const error = this.failing?.(call, key);
    if (error !== undefined) throw error as Error;
    for (let turns = (this.#count++ * 7) % 5; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    return act();
  }
}

function start() {
  const backplane = new SlowBackplane();
  const [a, b, c] = [1, 2, 3].map(() => new BackplaneProxyStore(backplane));
  if (!a || !b || !c) throw new Error("there are three");
  return { backplane, a, b, c, nodes: [a, b, c] };
}

const ids = Array.from({ length: 40 }, (_, at) => `id${at}`);

test("of many calls at several nodes, one takes a value", async () => {
  const { a, nodes } = start();
  for (const id of ids) await a.set("code", id, id, undefined, "g");
  const taken = await Promise.all(ids.flatMap((id) => [...nodes, ...nodes].map((store) => store.take("code", id))));
  expect(taken.filter((value) => value !== undefined).sort()).toEqual([...ids].sort());
  expect(await a.count("code")).toBe(0);
});

test("a value that is set again while it is taken is taken once each time", async () => {
  const { a, b, c } = start();
  let sets = 0;
  const taken: string[] = [];
  const take = async (store: BackplaneProxyStore): Promise<void> => {
    for (let times = 0; times < 40; times++) {
      const value = await store.take("code", "x");
      if (value !== undefined) taken.push(value);
    }
  };
  const set = async (): Promise<void> => {
    for (; sets < 20; sets++) await a.set("code", "x", `${sets}`);
  };
  await Promise.all([set(), take(b), take(c)]);
  const rest = await a.take("code", "x");
  const all = rest === undefined ? taken : [...taken, rest];
  expect(new Set(all).size).toBe(all.length);
  // Earlier ones may have been replaced before they were taken.
  expect(all).toContain("19");
});

test("concurrent values of one kind and group are all counted, and end together", async () => {
  const { nodes, a, b, backplane } = start();
  await Promise.all(ids.map(async (id, at) => nodes[at % 3]?.set("token", id, id, Date.now() + 60_000, "g")));
  expect(await b.count("token")).toBe(ids.length);
  await a.deleteGroup("token", "g");
  expect(await Promise.all(ids.map((id) => b.get("token", id)))).toEqual(ids.map(() => undefined));
  expect(await Promise.all(ids.map((id) => b.take("token", id)))).toEqual(ids.map(() => undefined));
  expect(await b.count("token")).toBe(0);
  // The storage is free, too: parts of the count may still be there for a moment, without content.
  const texts = [...backplane.keys].map((key) => backplane.inner.get(key)?.text ?? "{}");
  expect(texts.length).toBeGreaterThan(ids.length);
  expect(texts.filter((text) => text !== "{}")).toEqual([]);
});

test.each([60_000, Infinity])(
  "a group stays small, however many values it gets, and all end with it: %d ms",
  async (ms) => {
    const backplane = new MemoryBackplane();
    const store = new BackplaneProxyStore(backplane);
    const set = vi.spyOn(backplane, "set");
    const many = Array.from({ length: 800 }, (_, at) => `t${at}`);
    const now = Date.now();
    for (const [at, id] of many.entries()) await store.set("token", id, id, now + ms + at, "g");
    expect(Math.max(...set.mock.calls.map(([, text]) => text.length))).toBeLessThan(40_000);
    expect(await store.get("token", "t0")).toBe("t0");
    await store.deleteGroup("token", "g");
    expect(await Promise.all(many.map((id) => store.get("token", id)))).toEqual(many.map(() => undefined));
    expect(await store.take("token", "t0")).toBeUndefined();
    // The storage of as many as the group has listed is free.
    expect(await store.count("token")).toBe(many.length - 500);
    await store.set("token", "t0", "again", now + ms, "g");
    expect(await store.get("token", "t0")).toBe("again");
  },
);

test("no value that was set before the end of its group is valid afterwards, also if others are set meanwhile", async () => {
  for (let round = 0; round < 30; round++) {
    const { a, b, c } = start();
    await a.set("token", "before", "1", undefined, "g");
    const setting = b.set("token", "meanwhile", "2", undefined, "g");
    for (let turns = round; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([setting, c.deleteGroup("token", "g")]);
    expect(await b.get("token", "before")).toBeUndefined();
    await b.deleteGroup("token", "g");
    expect(await a.get("token", "meanwhile")).toBeUndefined();
  }
});

test("keys contain neither kinds nor ids", async () => {
  const { a, backplane } = start();
  await a.set("the-kind", "the-id", "v", undefined, "the-group");
  for (const key of backplane.keys) expect(key).toMatch(/^proxy:[\w-]{43}$/);
});

describe("failures", () => {
  const calls: readonly (readonly [string, (store: BackplaneProxyStore) => Promise<unknown>])[] = [
    ["get", (store) => store.get("code", "a")],
    ["set", (store) => store.set("code", "b", "2", undefined, "g")],
    ["take", (store) => store.take("code", "a")],
    ["delete", (store) => store.delete("code", "a")],
    ["deleteGroup", (store) => store.deleteGroup("code", "g")],
    ["count", (store) => store.count("code")],
  ];

  test.each(
    calls.flatMap(([name, call]) =>
      (["unavailable", "full", "too-large", "unreadable"] as const).map((reason) => [name, reason, call] as const),
    ),
  )("%s while the backplane is %s", async (_name, reason, call) => {
    const { a, backplane } = start();
    await a.set("code", "a", "1", undefined, "g");
    const cause = new BackplaneError(reason, "the reason");
    backplane.failing = () => cause;
    const error = await call(a).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ProxyStoreError);
    expect(error).toMatchObject({ code: "STORE_FAILED", reason, cause, message: /^cannot .+: the reason$/ });
    backplane.failing = undefined;
    expect(await a.get("code", "a")).toBe("1");
  });

  test("an error of another kind", async () => {
    const { a, backplane } = start();
    backplane.failing = () => new TypeError("a defect");
    await expect(a.get("code", "a")).rejects.toMatchObject({ reason: "unknown", message: /a defect/ });
  });

  test.each(["", "null", "[]", "{}", '{"value":1}', '{"value":"","group":[1,2]}', "x"])(
    "something else is stored: %s",
    async (text) => {
      const { a, backplane } = start();
      await a.set("code", "a", "1");
      for (const key of backplane.keys) backplane.inner.set(key, text, { ttlMs: 1_000 });
      await expect(a.get("code", "a")).rejects.toMatchObject({ reason: "unreadable", message: /prefix of its own/ });
    },
  );

  test("other changes are always faster", async () => {
    const { a, backplane } = start();
    backplane.rejectsChanges = true;
    await expect(a.set("code", "a", "1")).rejects.toMatchObject({ reason: "busy" });
  });

  test("a value that was taken is returned, although it could not be subtracted from the count", async () => {
    const { a, b, backplane } = start();
    await a.set("code", "a", "1", Date.now() + 60_000);
    backplane.failing = (call) => (call === "set" ? new BackplaneError("full", "it is full") : undefined);
    expect(await a.take("code", "a")).toBe("1");
    backplane.failing = undefined;
    expect([await b.take("code", "a"), await b.count("code")]).toEqual([undefined, 1]);
  });

  test.each([undefined, {}, "redis://localhost", null])("not a backplane: %j", (backplane) => {
    expect(() => new BackplaneProxyStore(backplane as never)).toThrow(/pass a backplane/);
  });
});
