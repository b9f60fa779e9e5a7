import { describe, expect, it } from "vitest";
import { ComputedCache } from "../../../../runtime/src/auth-server/dpop/computed-cache.js";

function setUp(maxEntries: number) {
  const cache = new ComputedCache<string>(maxEntries);
  const computed: string[] = [];
  const get = (key: string) =>
    cache.get(key, () => {
      computed.push(key);
      return Promise.resolve(`value of ${key}`);
    });
  return { cache, computed, get };
}

describe("a ComputedCache", () => {
  it("computes a value once, and then returns it without a promise", async () => {
    const { computed, get } = setUp(2);
    expect(await get("a")).toBe("value of a");
    expect(get("a")).toBe("value of a");
    expect(computed).toEqual(["a"]);
  });

  it("joins computations for one key", async () => {
    const { computed, get } = setUp(2);
    expect(await Promise.all([get("a"), get("a"), get("b")])).toEqual(["value of a", "value of a", "value of b"]);
    expect(computed).toEqual(["a", "b"]);
  });

  it("keeps values that are in use, and forgets others", async () => {
    const { cache, computed, get } = setUp(4);
    for (const key of ["a", "b", "a", "c", "a", "d", "a", "b"]) await get(key);
    expect(computed).toEqual(["a", "b", "c", "d", "b"]);
    expect(cache.size).toBeLessThanOrEqual(4);
  });

  it("stays within its bound while many values are computed", async () => {
    const { cache, get } = setUp(4);
    const all = Array.from({ length: 50 }, async (_, index) => get(String(index)));
    expect(cache.size).toBeLessThanOrEqual(4);
    await Promise.all(all);
    expect(cache.size).toBeLessThanOrEqual(4);
  });

  it("does not remember failures", async () => {
    const { cache, get } = setUp(2);
    const fail = async () => cache.get("a", () => Promise.reject(new Error("no")));
    await expect(Promise.all([fail(), fail()])).rejects.toThrow("no");
    expect(cache.size).toBe(0);
    expect(await get("a")).toBe("value of a");
  });
});
