import { afterEach, describe, expect, test, vi } from "vitest";
import { WebStorageCredentialStore } from "../../../runtime/src/auth/web-storage-credential-store.js";
import type { WebStorage } from "../../../runtime/src/auth/web-storage-credential-store.js";
import { CodeFlowFixture, started } from "./providers/code-flow-fixture.js";

/** The `sessionStorage` of a tab. */
class TabStorage implements WebStorage {
  readonly values = new Map<string, string>();

  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }

  removeItem(key: string): void {
    this.values.delete(key);
  }
}

afterEach(() => vi.unstubAllGlobals());

describe("WebStorageCredentialStore", () => {
  test("reads, writes and deletes below its prefix", () => {
    const storage = new TabStorage();
    const store = new WebStorageCredentialStore(storage, "app:");
    expect(store.get("a b")).toBeUndefined();
    store.set("a b", "c");
    expect([...storage.values]).toEqual([["app:a b", "c"]]);
    expect(store.get("a b")).toBe("c");
    store.delete("a b");
    store.delete("a b");
    expect(storage.values.size).toBe(0);
  });

  test("keeps a log-in while the page goes to the authorization server and comes back", async () => {
    const fixture = new CodeFlowFixture();
    const storage = new TabStorage();
    const page = (): ReturnType<CodeFlowFixture["provider"]> =>
      fixture.provider({ store: new WebStorageCredentialStore(storage) });
    const callback = await started(fixture, page());
    await page().finish(callback.href);
    expect(await fixture.call(page())).toBe(200);
    expect([...storage.values.keys()].every((key) => key.startsWith("mcp "))).toBe(true);
  });

  test("locks by the Web Locks API where there is one", async () => {
    const store = new WebStorageCredentialStore(new TabStorage());
    const { signal } = new AbortController();
    const request = vi.fn((_name: string, _options: object, work: () => Promise<unknown>) => work());
    vi.stubGlobal("navigator", { locks: { request } });
    expect(await store.withLock("key", () => Promise.resolve(1), signal)).toBe(1);
    expect(request).toHaveBeenCalledWith("mcp key", { signal }, expect.anything());
    vi.stubGlobal("navigator", undefined);
    expect(await store.withLock("key", () => Promise.resolve(2), signal)).toBe(2);
    expect(request).toHaveBeenCalledTimes(1);
  });
});
