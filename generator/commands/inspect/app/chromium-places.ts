import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/** Where browsers of the Chromium family usually are; the first one is preferred. */
export function chromiumPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly string[] {
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

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
