import { chromiumPlaces, isExecutable } from "../../generator/commands/inspect/app/chromium-places.js";

export const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export function findChromium(): string {
  const given = process.env["CHROMIUM"];
  if (given !== undefined) return given;
  const found = chromiumPlaces(process.platform, process.env).find(isExecutable);
  if (found === undefined)
    throw new Error("neither Chromium nor Chrome nor Edge is installed; set CHROMIUM to the path of one");
  return found;
}
