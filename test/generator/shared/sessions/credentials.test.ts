import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { credentialsPath } from "../../../../generator/shared/sessions/credentials-path.js";
import { readSavedClient, saveClient, withSavedClient } from "../../../../generator/shared/sessions/saved-client.js";
import { StagedStore } from "../../../../generator/shared/sessions/staged-store.js";
import { MemoryCredentialStore } from "../../../../runtime/src/auth.js";

test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, string]>([
  ["Linux", {}, "linux", join("/home/ada", ".config")],
  ["macOS", {}, "darwin", join("/home/ada", ".config")],
  ["XDG", { XDG_CONFIG_HOME: "/xdg" }, "linux", "/xdg"],
  ["a relative XDG folder", { XDG_CONFIG_HOME: "xdg" }, "linux", join("/home/ada", ".config")],
  ["Windows", { APPDATA: "/appdata" }, "win32", "/appdata"],
  ["Windows without the variable", { APPDATA: "" }, "win32", join("/home/ada", "AppData", "Roaming")],
])("the credentials are in the user's folder: %s", (_, env, platform, folder) =>
  expect(credentialsPath(env, platform, "/home/ada")).toBe(join(folder, "mcpwright", "credentials.json")),
);

describe("the client of the last log-in", () => {
  const url = new URL("https://example.com/mcp?tenant=1#part");
  const saved = { clientId: "a", clientSecret: "s", authHosts: ["auth.corp.example"] };

  test("is kept per server", async () => {
    const store = new MemoryCredentialStore();
    await saveClient(store, url, saved);
    expect(await readSavedClient(store, new URL("https://example.com/mcp?tenant=1"))).toEqual(saved);
    expect(await readSavedClient(store, new URL("https://example.com/mcp"))).toEqual({});
    await saveClient(store, url, {});
    expect(await readSavedClient(store, url)).toEqual({});
  });

  test.each(["{", "[]", '{"clientId":5,"authHosts":"x"}', "null"])("is ignored when it is %s", async (text) => {
    const store = new MemoryCredentialStore();
    await saveClient(store, url, saved);
    store.set("mcpwright-client https://example.com/mcp?tenant=1", text);
    expect(await readSavedClient(store, url)).toEqual({});
  });

  test("gives its secret to no other client", () => {
    expect(withSavedClient({ clientId: "b" }, saved)).toEqual({ clientId: "b", authHosts: saved.authHosts });
    expect(withSavedClient({ clientId: "a" }, saved)).toEqual(saved);
    expect(withSavedClient({ authHosts: ["x"] }, saved)).toEqual({ ...saved, authHosts: ["auth.corp.example", "x"] });
  });
});

test("a staged log-in hides the tokens of the earlier one, and replaces them at the end", async () => {
  const base = new MemoryCredentialStore();
  base.set("tokens https://as https://mcp", "old");
  base.set("server https://mcp", "https://as");
  base.set("client https://as", "registration");
  const staged = new StagedStore(base);
  expect(await staged.get("tokens https://as https://mcp")).toBeUndefined();
  expect(await staged.get("server https://mcp")).toBe("https://as");
  await staged.set("tokens https://as https://mcp", "new");
  await staged.delete("server https://mcp");
  await staged.set("client https://as", "another registration");
  expect([staged.tokens, await staged.get("server https://mcp")]).toEqual(["new", undefined]);
  expect(
    ["tokens https://as https://mcp", "server https://mcp", "client https://as"].map((key) => base.get(key)),
  ).toEqual(["old", "https://as", "another registration"]);
  await staged.commit();
  expect([base.get("tokens https://as https://mcp"), base.get("server https://mcp")]).toEqual(["new", undefined]);
});
