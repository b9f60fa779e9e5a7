import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FileKind, findProgram } from "../../../../../generator/commands/gateway/config/find-program.js";
import { put, sandbox } from "../../../shared/files/sandbox.js";

const files: Readonly<Record<string, FileKind>> = {
  "/bin/node": "executable",
  "/usr/bin/node": "executable",
  "/usr/bin/text": "file",
  "/opt/text": "executable",
  "/usr/bin/folder": "folder",
  "/proj/server": "executable",
  "C:\\bin\\npx.cmd": "executable",
  "C:\\bin\\node.exe": "executable",
  "C:\\work\\here.exe": "executable",
  "C:\\tools\\x.ps1": "executable",
};
const fileKind = (path: string): FileKind => files[path];

describe("on Linux and macOS", () => {
  const options = { platform: "linux", env: { PATH: "/usr/bin:/bin::/opt" }, cwd: "/proj", fileKind } as const;
  test.each([
    ["the first in PATH", "node", { path: "/usr/bin/node" }],
    ["a file that is executable further on", "text", { path: "/opt/text" }],
    ["an empty folder in PATH, which is the working directory", "server", { path: "/proj/server" }],
    ["an absolute path", "/bin/node", { path: "/bin/node" }],
    ["a relative path", "./server", { path: "/proj/server" }],
    ["nothing", "no", { problem: "missing" }],
    ["a name that differs in case", "Node", { problem: "missing" }],
    ["a folder", "folder", { problem: "folder", path: "/usr/bin/folder" }],
    ["a file that is not executable", "/usr/bin/text", { problem: "not executable", path: "/usr/bin/text" }],
  ])("%s", (_name, command, expected) => {
    expect(findProgram(command, options)).toEqual(expected);
  });

  test("nothing without PATH", () => {
    expect(findProgram("node", { ...options, env: {} })).toEqual({ problem: "missing" });
  });
});

describe("on Windows", () => {
  const env = { Path: '"C:\\bin";C:\\tools', PATHEXT: ".COM;.EXE;.BAT;.CMD" };
  const options = { platform: "win32", env, cwd: "C:\\work", fileKind } as const;
  test.each([
    ["a script", "npx", { path: "C:\\bin\\npx.cmd" }],
    ["a program", "node", { path: "C:\\bin\\node.exe" }],
    ["with its extension", "node.exe", { path: "C:\\bin\\node.exe" }],
    ["in the working directory", "here", { path: "C:\\work\\here.exe" }],
    ["a path", "..\\bin\\npx", { path: "C:\\bin\\npx.cmd" }],
    ["an extension that is not in PATHEXT", "x", { problem: "missing" }],
  ])("%s", (_name, command, expected) => {
    expect(findProgram(command, options)).toEqual(expected);
  });
});

test("on this machine", () => {
  const folder = sandbox();
  put(folder, { program: "", text: "" });
  chmodSync(join(folder, "program"), 0o755);
  chmodSync(join(folder, "text"), 0o644);
  const options = { env: { PATH: folder }, cwd: folder };
  expect(findProgram("program", options)).toEqual({ path: join(folder, "program") });
  expect(findProgram("./text", options)).toEqual({ problem: "not executable", path: join(folder, "text") });
  expect(findProgram(".", options)).toMatchObject({ problem: "folder" });
  expect(findProgram("no", options)).toEqual({ problem: "missing" });
  expect(findProgram("node")).toHaveProperty("path");
});
