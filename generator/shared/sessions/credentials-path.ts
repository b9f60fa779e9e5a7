import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * The file with the credentials of the user's log-ins: in `$XDG_CONFIG_HOME`, on Windows in `%APPDATA%`, otherwise in
 * `~/.config`. As the XDG specification requires, a relative `$XDG_CONFIG_HOME` is ignored.
 */
export function credentialsPath(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  const { XDG_CONFIG_HOME: xdg = "", APPDATA: appData = "" } = env;
  const windows = appData === "" ? join(home, "AppData", "Roaming") : appData;
  const folder = isAbsolute(xdg) ? xdg : platform === "win32" ? windows : join(home, ".config");
  return join(folder, "mcpwright", "credentials.json");
}
