/** The behaviours of every `ProxyStore`. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProxyStore } from "../../../runtime/src/auth-proxy/proxy-store.js";

export interface OpenStore {
  readonly store: ProxyStore;
  close(): void | Promise<void>;
}

export type StoreKind = readonly [name: string, open: () => OpenStore | Promise<OpenStore>];

/** Lets time pass. */
type Clock = (ms: number) => void | Promise<void>;

/** For stores that measure time by the clock of this process. */
export const ownClock: Clock = (ms) => void vi.advanceTimersByTime(ms);

/** For stores that measure time by the clock of another process, from the arrival of a value on. */
export const otherClock: Clock = (ms) => new Promise((resolve) => setTimeout(resolve, ms + 200));

export function proxyStoreBehaviours(stores: readonly StoreKind[], pass: Clock): void {
  describe.each(stores)("%s", (_name, open) => {
    let opened: OpenStore;
    let store: ProxyStore;

    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
      if (pass === ownClock) vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ["Date", "performance"] });
    });

    afterEach(async () => {
      vi.useRealTimers();
      await opened.close();
    });

    it("returns what was set, by kind and id", async () => {
      await store.set("client", "a", "1");
      await store.set("grant", "a", "2");
      await store.set("client", "b", "3");
      expect(await store.get("client", "a")).toBe("1");
      expect(await store.get("grant", "a")).toBe("2");
      expect(await store.get("client", "c")).toBeUndefined();
      expect(await store.get("none", "a")).toBeUndefined();
    });

    it("keeps any text, also in ids", async () => {
      for (const text of [
        "",
        "'); DROP TABLE proxy_values; --",
        "é😀\u0000x",
        "\u0000",
        "\u0001",
        "\u00010\u0001\u00001",
        "__proto__",
        "constructor",
        "x".repeat(100_000),
      ]) {
        await store.set(text, text, text, undefined, text);
        expect(await store.get(text, text)).toBe(text);
        await store.deleteGroup(text, text);
        expect(await store.get(text, text)).toBeUndefined();
      }
    });

    it("keeps ids apart that differ after a NUL", async () => {
      await store.set("client", "a", "1");
      expect(await store.get("client", "a\u0000b")).toBeUndefined();
    });

    it("replaces a value with its expiry and group", async () => {
      await store.set("token", "a", "1", Date.now() + 1_000, "old");
      await store.set("token", "a", "2", undefined, "new");
      await store.deleteGroup("token", "old");
      await pass(1_100);
      expect(await store.get("token", "a")).toBe("2");
      await store.deleteGroup("token", "new");
      expect(await store.get("token", "a")).toBeUndefined();
    });

    it("takes a value once", async () => {
      await store.set("code", "a", "1");
      const taken = await Promise.all([1, 2, 3].map(async () => store.take("code", "a")));
      expect(taken.filter((value) => value !== undefined)).toEqual(["1"]);
      expect(await store.get("code", "a")).toBeUndefined();
      expect(await store.take("code", "never")).toBeUndefined();
    });

    it("deletes a value, and one that does not exist", async () => {
      await store.set("code", "a", "1");
      await store.delete("code", "a");
      await store.delete("code", "a");
      await store.delete("none", "a");
      expect(await store.get("code", "a")).toBeUndefined();
    });

    it("deletes the values of one group of one kind", async () => {
      await store.set("token", "a", "1", undefined, "g");
      await store.set("token", "b", "2", undefined, "g");
      await store.set("token", "c", "3", undefined, "h");
      await store.set("token", "d", "4");
      await store.set("code", "a", "5", undefined, "g");
      await store.deleteGroup("token", "g");
      await store.deleteGroup("none", "g");
      expect(await store.count("token")).toBe(2);
      expect(await store.get("token", "c")).toBe("3");
      expect(await store.get("code", "a")).toBe("5");
    });

    it("ends values at their time, for all calls", async () => {
      const now = Date.now();
      await store.set("code", "a", "1", now + 2_000);
      await store.set("code", "b", "2", now + 5_000);
      await store.set("code", "c", "3", Infinity);
      await store.set("code", "d", "4", now - 1);
      expect(await store.get("code", "d")).toBeUndefined();
      expect(await store.count("code")).toBe(3);
      await pass(now + 2_000 - Date.now());
      expect(await store.get("code", "a")).toBeUndefined();
      expect(await store.take("code", "a")).toBeUndefined();
      expect(await store.get("code", "b")).toBe("2");
      expect(await store.count("code")).toBe(2);
      await pass(now + 5_000 - Date.now());
      expect(await store.take("code", "b")).toBeUndefined();
      expect(await store.count("code")).toBe(1);
    });

    it("sets an expired value again", async () => {
      await store.set("code", "a", "1", Date.now() + 1_000);
      await pass(1_100);
      await store.set("code", "a", "2", Date.now() + 60_000);
      expect(await store.get("code", "a")).toBe("2");
    });

    it("keeps many values and deletes the expired ones", async () => {
      const end = Date.now() + 5_000;
      for (let at = 0; at < 1_000; at++) await store.set("code", `${at}`, "1", at % 2 ? end : end + 3_600_000);
      await pass(end - Date.now());
      for (let at = 0; at < 1_000; at++) await store.set("token", `${at}`, "1");
      expect(await store.count("code")).toBe(500);
      expect(await store.count("token")).toBe(1_000);
    });
  });
}
