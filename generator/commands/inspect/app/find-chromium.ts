import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fail } from "../../../shared/diagnostics/diagnostic.js";

/** How `findChromium` sees the machine; tests replace it. */
export interface ChromiumHost {
  /** Default: `process.platform`. */
  readonly platform?: NodeJS.Platform;
  /** Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Default: looks at the files of the machine. */
  readonly isProgram?: (path: string) => boolean;
}

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/**
 * Finds a browser of the Chromium family: the variable `CHROMIUM`, then the usual places.
 * @throws DiagnosticError app-browser-missing
 */
export function findChromium({
  platform = process.platform,
  env = process.env,
  isProgram = isExecutable,
}: ChromiumHost = {}): string {
  const { CHROMIUM: given } = env;
  if (given !== undefined && given !== "") {
    if (isProgram(given)) return given;
    return fail("app-browser-missing", { reason: `CHROMIUM is ${given}, which is not a program` });
  }
  const found = placesOn(platform, env).find(isProgram);
  return found ?? fail("app-browser-missing", { reason: "neither Chromium nor Chrome nor Edge was found" });
}

function placesOn(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly string[] {
  if (platform === "darwin")
    return ["Chromium", "Google Chrome", "Microsoft Edge"].map(
      (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
    );
  if (platform === "win32")
    return [env["ProgramFiles"], env["ProgramFiles(x86)"], env["LOCALAPPDATA"]].flatMap((folder) =>
      folder === undefined
        ? []
        : [
            `${folder}\\Chromium\\Application\\chrome.exe`,
            `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
            `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
          ],
    );
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
