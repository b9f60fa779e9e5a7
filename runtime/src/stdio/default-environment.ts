/** The variables of this process that a server inherits by default: none that is likely to contain a secret. */
export const DEFAULT_INHERITED_ENV_VARS: readonly string[] =
  process.platform === "win32"
    ? [
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PROCESSOR_ARCHITECTURE",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "USERNAME",
        "USERPROFILE",
        "PROGRAMFILES",
      ]
    : ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

/** The variables of `DEFAULT_INHERITED_ENV_VARS` that are set. Shell functions that bash exports are left out. */
export function getDefaultEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of DEFAULT_INHERITED_ENV_VARS) {
    const value = process.env[name];
    if (value !== undefined && !value.startsWith("()")) environment[name] = value;
  }
  return environment;
}
