import { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { textResult } from "../text-result.js";
import { alertsOf, forecastAt } from "./api.js";

const annotations = { readOnlyHint: true, openWorldHint: true };

/** The server of the protocol's quickstart: alerts and forecasts for places in the US. */
export function weatherServer(): McpServer {
  const server = new McpServer({ name: "weather", version: "1.0.0" });

  server.registerTool(
    "get-alerts",
    {
      description: "Weather alerts for a state of the US",
      inputSchema: z.object({
        state: z
          .string()
          .regex(/^[A-Za-z]{2}$/, "Two letters, such as CA")
          .describe("Two-letter code of the state"),
      }),
      annotations,
    },
    async ({ state }, { signal }) => {
      const area = state.toUpperCase();
      const alerts = await alertsOf(area, signal);
      if (alerts.length === 0) return textResult(`No active alerts for ${area}`);
      return textResult(
        alerts
          .map(({ event, areaDesc, severity, headline }) =>
            [`${event} (${severity})`, `Where: ${areaDesc}`, ...(headline ? [headline] : [])].join("\n"),
          )
          .join("\n\n"),
      );
    },
  );

  server.registerTool(
    "get-forecast",
    {
      description: "Weather forecast for a place in the US",
      inputSchema: z.object({
        latitude: z.number().min(-90).max(90).describe("Degrees north"),
        longitude: z.number().min(-180).max(180).describe("Degrees east"),
      }),
      annotations,
    },
    async ({ latitude, longitude }, { signal }) => {
      const periods = await forecastAt(latitude, longitude, signal);
      if (periods.length === 0) return textResult("No forecast is available");
      return textResult(
        periods
          .map(
            ({ name, temperature, temperatureUnit, windSpeed, windDirection, shortForecast }) =>
              `${name}: ${temperature}°${temperatureUnit}, wind ${windSpeed} ${windDirection}, ${shortForecast}`,
          )
          .join("\n"),
      );
    },
  );

  return server;
}
