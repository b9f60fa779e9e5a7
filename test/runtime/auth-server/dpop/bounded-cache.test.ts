import { describe, expect, it } from "vitest";
import { BoundedCache } from "../../../../runtime/src/auth-server/dpop/bounded-cache.js";

function setUp(maxEntries: number) {
  const cache = new BoundedCache<string>(maxEntries);
  const computed: string[] = [];
  const get = (key: string) =>
    cache.get(key, () => {
      computed.push(key);
      return Promise.resolve(`value of ${key}`);
    });
  return { cache, computed, get };
}

describe("a BoundedCache", () => {
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

  it("forgets the value that was not used for the longest time", async () => {
    const { cache, computed, get } = setUp(2);
    for (const key of ["a", "b", "a", "c", "a", "b"]) await get(key);
    expect(computed).toEqual(["a", "b", "c", "b"]);
    expect(cache.size).toBe(2);
  });

  it("stays within its bound while many values are computed", async () => {
    const { cache, get } = setUp(3);
    const all = Array.from({ length: 50 }, async (_, index) => get(String(index)));
    expect(cache.size).toBe(3);
    await Promise.all(all);
    expect(cache.size).toBe(3);
  });

  it("does not remember failures", async () => {
    const { cache, get } = setUp(2);
    const fail = async () => cache.get("a", () => Promise.reject(new Error("no")));
    await expect(Promise.all([fail(), fail()])).rejects.toThrow("no");
    expect(cache.size).toBe(0);
    expect(await get("a")).toBe("value of a");
  });
});
