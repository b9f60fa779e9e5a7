import { apps, registerAppResource, registerAppTool, showsApps } from "@mcpwright/runtime/apps";
import { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { textResult } from "../text-result.js";
import { forecastAt, type Period } from "../weather/api.js";
import { chartPage } from "./build-page.js";

const chartUri = "ui://weather/chart";

/** The forecast of the weather server as a chart, which hosts show beside the conversation. */
export async function chartServer(): Promise<McpServer> {
  const server = new McpServer({ name: "weather-chart", version: "1.0.0" }, { extensions: [apps()] });

  const _meta = { ui: { prefersBorder: true } };
  registerAppResource(server, "Forecast chart", chartUri, { _meta }, await chartPage());

  registerAppTool(
    server,
    "forecast-chart",
    {
      description: "Shows the weather forecast for a place in the US as a chart",
      inputSchema: z.object({
        latitude: z.number().min(-90).max(90).describe("Degrees north"),
        longitude: z.number().min(-180).max(180).describe("Degrees east"),
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
      _meta: { ui: { resourceUri: chartUri } },
    },
    async ({ latitude, longitude }, context) => {
      const periods = (await forecastAt(latitude, longitude, context.signal)).slice(0, 7);
      if (periods.length < 2) return textResult("No forecast is available");
      const lines = periods.map(lineOf).join("\n");
      return {
        ...textResult(showsApps(context) ? `The user sees this forecast as a chart:\n${lines}` : lines),
        structuredContent: {
          latitude,
          longitude,
          periods: periods.map(({ name, temperature, temperatureUnit, shortForecast }) => ({
            name,
            temperature,
            unit: temperatureUnit,
            sky: shortForecast,
          })),
        },
      };
    },
  );

  return server;
}

function lineOf({ name, temperature, temperatureUnit, shortForecast }: Period): string {
  return `${name}: ${temperature}°${temperatureUnit}, ${shortForecast}`;
}
