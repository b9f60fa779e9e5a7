import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { chromiumPlaces, isExecutable } from "./chromium-places.js";

/** How `findChromium` sees the machine; tests replace it. */
export interface ChromiumHost {
  /** Default: `process.platform`. */
  readonly platform?: NodeJS.Platform;
  /** Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Default: looks at the files of the machine. */
  readonly isProgram?: (path: string) => boolean;
}

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
  const found = chromiumPlaces(platform, env).find(isProgram);
  return found ?? fail("app-browser-missing", { reason: "neither Chromium nor Chrome nor Edge was found" });
}
