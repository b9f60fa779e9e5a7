import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { FileCredentialStore } from "../../../runtime/src/auth-node.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const isPosix = process.platform !== "win32";
const isRoot = process.getuid?.() === 0;
const never = new AbortController().signal;
let bundle = "";

beforeAll(() => {
  const outfile = join(temporaryFolder("store-bundle"), "store.mjs");
  const source = join(import.meta.dirname, "../../../runtime/src/auth-node/file-credential-store.ts");
  buildSync({ entryPoints: [source], outfile, bundle: true, platform: "node", format: "esm" });
  bundle = pathToFileURL(outfile).href;
});

const newPath = (): string => join(temporaryFolder("store"), "app", "credentials.json");

function user(path: string, action: string, argument = ""): ChildProcess {
  const script = join(import.meta.dirname, "fixtures/store-user.mjs");
  return spawn(process.execPath, [script, bundle, path, action, argument], { stdio: ["ignore", "pipe", "inherit"] });
}

async function outputOf(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(0);
  return text;
}

describe("a store in one process", () => {
  test("keeps values across objects, in a private file and folder, and leaves nothing else", async () => {
    const path = newPath();
    const store = new FileCredentialStore(path);
    expect(await store.get("a")).toBeUndefined();
    await store.delete("a");
    expect(existsSync(join(path, ".."))).toBe(false);
    await store.set("a", "1");
    await store.set("__proto__", "2");
    await store.delete("none");
    const other = new FileCredentialStore(path);
    expect([await other.get("a"), await other.get("__proto__"), await other.get("toString")]).toEqual([
      "1",
      "2",
      undefined,
    ]);
    await other.delete("a");
    expect(await store.get("a")).toBeUndefined();
    expect(readdirSync(join(path, ".."))).toEqual(["credentials.json"]);
    if (isPosix) expect([statSync(path).mode & 0o777, statSync(join(path, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test("loses no value of concurrent calls, also of several objects", async () => {
    const path = newPath();
    const [one, other] = [new FileCredentialStore(path), new FileCredentialStore(path)];
    const keys = Array.from({ length: 40 }, (_, index) => String(index));
    await Promise.all(keys.map((key, index) => (index % 2 === 0 ? one : other).set(key, key)));
    expect(await Promise.all(keys.map((key) => one.get(key)))).toEqual(keys);
  });

  test("runs work with the same key one after the other, and with other keys at the same time", async () => {
    const store = new FileCredentialStore(newPath());
    const events: string[] = [];
    let release = (): void => undefined;
    const first = store.withLock(
      "a",
      async () => {
        events.push("first starts");
        await new Promise<void>((resolve) => (release = resolve));
        events.push("first ends");
      },
      never,
    );
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = store.withLock("a", () => Promise.resolve(events.push("second")), never);
    await store.withLock("b", () => Promise.resolve(events.push("other key")), never);
    release();
    await Promise.all([first, second]);
    expect(events).toEqual(["first starts", "other key", "first ends", "second"]);
  });

  test("releases the lock when the work fails, or its caller stops waiting", async () => {
    const path = newPath();
    const store = new FileCredentialStore(path);
    await expect(store.withLock("a", () => Promise.reject(new Error("broken")), never)).rejects.toThrow("broken");
    const reason = new Error("not needed any more");
    const end = new AbortController();
    await store.withLock(
      "a",
      async () => {
        const waiting = store.withLock("a", () => Promise.resolve(), end.signal);
        end.abort(reason);
        await expect(waiting).rejects.toBe(reason);
      },
      never,
    );
    await expect(store.withLock("a", () => Promise.resolve(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await store.withLock("a", () => Promise.resolve("free"), never)).toBe("free");
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test("stops waiting for a lock after a while, and names its process", async () => {
    const path = newPath();
    const [store, hasty] = [new FileCredentialStore(path), new FileCredentialStore(path, { lockTimeoutMs: 20 })];
    await store.withLock(
      "a",
      () =>
        expect(hasty.withLock("a", () => Promise.resolve(), never)).rejects.toThrow(`process ${process.pid} has kept`),
      never,
    );
  });

  test("takes over the lock of another machine that shows no sign of life", async () => {
    const path = newPath();
    const store = new FileCredentialStore(path, { staleLockMs: 60 });
    await store.set("a", "1");
    mkdirSync(`${path}.lock`);
    writeFileSync(join(`${path}.lock`, `000000000001-1-00000000-00000000-0000-4000-8000-000000000000`), "");
    writeFileSync(join(`${path}.lock`, `000000000000-1-00000000-00000000-0000-4000-8000-000000000001`), "");
    await store.set("a", "2");
    expect(await store.get("a")).toBe("2");
    expect(readdirSync(join(path, ".."))).toEqual(["credentials.json"]);
  });
});

describe("a file that cannot be used", () => {
  test.skipIf(!isPosix)("is refused when others can read it, with the command that helps", async () => {
    const path = join(temporaryFolder("store"), "it's.json");
    writeFileSync(path, "{}");
    chmodSync(path, 0o640);
    const store = new FileCredentialStore(path);
    const refusal = {
      reason: "store-failed",
      message: expect.stringContaining(`run: chmod 600 '${path.replace("'", "'\\''")}'`) as string,
    };
    await expect(store.get("a")).rejects.toMatchObject(refusal);
    await expect(store.set("a", "1")).rejects.toMatchObject(refusal);
    expect(readFileSync(path, "utf8")).toBe("{}");
    chmodSync(path, 0o600);
  });

  test.each([
    ["not JSON", "{ secret"],
    ["another kind of JSON", "[1]"],
    ["without records", '{"version":1}'],
    ["with a record that is not a string", '{"version":1,"records":{"a":5}}'],
  ])("is kept under another name when it is %s", async (_, text) => {
    const path = newPath();
    const errors: Error[] = [];
    const store = new FileCredentialStore(path, { onerror: (error) => errors.push(error) });
    await store.set("a", "1");
    writeFileSync(path, text);
    expect(await store.get("a")).toBeUndefined();
    await store.set("a", "2");
    expect(await store.get("a")).toBe("2");
    const [kept = ""] = readdirSync(join(path, "..")).filter((name) => name.startsWith("credentials.json.corrupt-"));
    expect(readFileSync(join(path, "..", kept), "utf8")).toBe(text);
    expect(errors).toMatchObject([{ reason: "store-failed", message: expect.stringContaining(kept) as string }]);
    expect(String(errors[0]?.message)).not.toContain("secret");
  });

  test("is not changed when a newer version wrote it", async () => {
    const path = newPath();
    const store = new FileCredentialStore(path);
    await store.set("a", "1");
    const newer = '{"version":2,"vault":"x"}';
    writeFileSync(path, newer);
    await expect(store.get("a")).rejects.toThrow("has version 2");
    await expect(store.set("a", "1")).rejects.toThrow("has version 2");
    expect(readFileSync(path, "utf8")).toBe(newer);
  });

  test("is a folder, or below a file", async () => {
    const folder = temporaryFolder("store");
    await expect(new FileCredentialStore(folder).set("a", "1")).rejects.toMatchObject({ reason: "store-failed" });
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(new FileCredentialStore(join(file, "store.json")).set("a", "1")).rejects.toMatchObject({
      reason: "store-failed",
    });
  });

  test.skipIf(!isPosix || isRoot)("is in a folder that cannot be written", async () => {
    const path = newPath();
    const store = new FileCredentialStore(path);
    await store.set("a", "1");
    chmodSync(join(path, ".."), 0o500);
    await expect(store.set("a", "2")).rejects.toThrow(/cannot lock .*: permission denied/);
    expect(await store.get("a")).toBe("1");
    chmodSync(join(path, ".."), 0o700);
  });

  test.skipIf(!isPosix)("is a symbolic link, which stays one", async () => {
    const folder = temporaryFolder("store");
    symlinkSync("target.json", join(folder, "link.json"));
    const [link, target] = ["link.json", "target.json"].map((name) => new FileCredentialStore(join(folder, name)));
    await target?.set("a", "1");
    await link?.set("b", "2");
    expect(await target?.get("b")).toBe("2");
    expect(readdirSync(folder)).toEqual(["link.json", "target.json"]);
  });

  test.skipIf(!isPosix)("keeps its content when the disk is full", async () => {
    const path = newPath();
    const store = new FileCredentialStore(path);
    await store.set("a", "1");
    const before = readFileSync(path, "utf8");
    const script = join(import.meta.dirname, "fixtures/store-user.mjs");
    // No file of this process may become larger than one block.
    const command = ["-c", 'ulimit -f 1 && exec "$0" "$@"', process.execPath, script, bundle, path, "fail"];
    const child = spawn("sh", command, { stdio: ["ignore", "pipe", "inherit"] });
    expect(await outputOf(child)).toContain(`cannot write ${path}: the disk or the quota is full`);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(readdirSync(join(path, ".."))).toEqual(["credentials.json"]);
  });
});

describe("several processes", () => {
  test("write at the same time, and lose no value", async () => {
    const path = newPath();
    const names = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(names.map((name) => outputOf(user(path, "set", name))));
    const store = new FileCredentialStore(path);
    for (const name of names)
      for (let index = 0; index < 5; index++)
        expect(await store.get(`key ${name}.${index}`)).toBe(`value ${name}.${index}`);
    expect(readdirSync(join(path, ".."))).toEqual(["credentials.json"]);
  });

  test("refresh once", async () => {
    const path = newPath();
    await new FileCredentialStore(path).set("tokens", "old");
    const log = join(temporaryFolder("store-log"), "log");
    const outputs = await Promise.all([1, 2, 3].map(() => outputOf(user(path, "refresh", log))));
    expect(outputs).toEqual(["new", "new", "new"]);
    expect(readFileSync(log, "utf8")).toBe("refreshed\n");
  });

  test("go on at once when one is killed that has the lock, and remove what it left", async () => {
    const path = newPath();
    const store = new FileCredentialStore(path);
    await store.set("a", "1");
    const child = user(path, "hold");
    if (child.stdout) await once(child.stdout, "data");
    expect(existsSync(join(path, ".."))).toBe(true);
    let isFree = false;
    const waiting = store.withLock("tokens", () => Promise.resolve((isFree = true)), never);
    expect(isFree).toBe(false);
    child.kill("SIGKILL");
    await once(child, "close");
    writeFileSync(`${path}.new-left`, "half of a fi");
    await waiting;
    await store.set("a", "2");
    expect(readdirSync(join(path, ".."))).toEqual(["credentials.json"]);
  });
});
