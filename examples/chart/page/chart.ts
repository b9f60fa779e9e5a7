/** The script of the page: draws the forecast of the tool call that the page belongs to. */
import { App, type AppOptions, applyHostStyles } from "@mcpwright/runtime/apps/app";
import { drawChart } from "./draw-chart.js";
import { type Forecast, isForecast, type Unit } from "./forecast.js";

type Result = Parameters<NonNullable<AppOptions["onToolResult"]>>[0];

const title = byId("title");
const chart = byId("chart");
const unitButton = byId("unit");
const refreshButton = byId("refresh");

let forecast: Forecast | undefined;
let unit: Unit = "F";
let args: Readonly<Record<string, unknown>> = {};

const app = new App(
  { name: "weather-chart", version: "1.0.0" },
  {
    onToolInput: (input) => {
      args = input;
    },
    onToolResult: show,
    onToolCancelled: () => (title.textContent = "The forecast was cancelled"),
    onContextChange: applyHostStyles,
    onerror: (error) => console.error(error),
  },
);

unitButton.addEventListener("click", () => {
  unit = unit === "F" ? "C" : "F";
  draw();
});
refreshButton.addEventListener("click", () => void refresh());

await app.connect();
applyHostStyles(app.hostContext);
refreshButton.hidden = app.hostCapabilities.serverTools === undefined;

function show({ structuredContent, isError, content }: Result): void {
  if (isError !== true && isForecast(structuredContent)) {
    forecast = structuredContent;
    return draw();
  }
  const [first] = content;
  title.textContent = first?.type === "text" ? first.text : "There is no forecast";
}

async function refresh(): Promise<void> {
  try {
    show(await app.callTool({ name: "forecast-chart", arguments: { ...args } }));
  } catch (error) {
    title.textContent = `The forecast cannot be updated: ${(error as Error).message}`;
  }
}

function draw(): void {
  if (!forecast) return;
  title.textContent = `Forecast for ${forecast.latitude.toFixed(2)}, ${forecast.longitude.toFixed(2)}`;
  unitButton.hidden = false;
  unitButton.textContent = unit === "F" ? "Show °C" : "Show °F";
  chart.replaceChildren(drawChart(forecast.periods, unit));
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}
