import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { findChromium } from "../../../../../generator/commands/inspect/app/find-chromium.js";

const at = (...paths: string[]) => ({ isProgram: (path: string) => paths.includes(path) });

test.each([
  ["linux", { CHROMIUM: "/opt/mine" }, ["/opt/mine", "/usr/bin/chromium"], "/opt/mine"],
  [
    "linux",
    { CHROMIUM: "", PATH: ["/bin", "/usr/bin"].join(delimiter) },
    [join("/usr/bin", "chromium")],
    join("/usr/bin", "chromium"),
  ],
  ["linux", { PATH: "/usr/bin" }, [join("/usr/bin", "google-chrome")], join("/usr/bin", "google-chrome")],
  [
    "darwin",
    {},
    ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  [
    "win32",
    { "ProgramFiles(x86)": "C:\\Program Files (x86)" },
    ["C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe"],
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
] as const)("on %s with %j, a browser among %j is found", (platform, env, programs, found) => {
  expect(findChromium({ platform, env, ...at(...programs) })).toBe(found);
});

test.each([
  ["linux", { PATH: "" }, "neither Chromium nor Chrome nor Edge was found"],
  ["linux", {}, "neither Chromium nor Chrome nor Edge was found"],
  ["darwin", {}, "neither Chromium nor Chrome nor Edge was found"],
  ["win32", {}, "neither Chromium nor Chrome nor Edge was found"],
  ["linux", { CHROMIUM: "/opt/none", PATH: "/usr/bin" }, "CHROMIUM is /opt/none, which is not a program"],
] as const)("on %s with %j, the error names what to install", (platform, env, reason) => {
  expect(() =>
    findChromium({ platform, env, ...at(join("/usr/bin", "chromium-browser").replace("usr", "other")) }),
  ).toThrow(
    `error[app-browser-missing]: a screenshot needs a browser: ${reason}\n  Install Chromium or Google Chrome, or set CHROMIUM`,
  );
});
