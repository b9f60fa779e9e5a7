/**
 * Names of devices, which Windows gives no file or folder, also with an extension behind them (Microsoft, "Naming Files, Paths, and
 * Namespaces").
 */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** Whether Windows accepts a name for a file or folder, and keeps it as it is: it drops dots and blanks at the end. */
export function isWindowsName(name: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are rejected
  return !/[<>:"/\\|?*\u0000-\u001f]|[. ]$/.test(name) && !device.test(name);
}
