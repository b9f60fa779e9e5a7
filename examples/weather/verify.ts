import { everywhere, port, same, textOf, tool } from "../verify/everywhere.js";
import { period, weatherService } from "../verify/weather-service.js";

const service = weatherService({
  "/alerts/active/area/CA": {
    features: [
      { properties: { event: "Flood Watch", areaDesc: "Sonoma", severity: "Severe", headline: "Until noon" } },
    ],
  },
  "/alerts/active/area/NV": { features: [] },
  "/alerts/active/area/OR": { features: "none" },
  "/points/38.5800,-121.4900": { properties: { forecast: "{origin}/forecast" } },
  "/forecast": { properties: { periods: [period("Tonight", 54, "Clear")] } },
});

await everywhere(
  {
    name: "weather",
    servers: [new URL("main.ts", import.meta.url)],
    env: { WEATHER_API: `http://127.0.0.1:${await port(service)}` },
  },
  async ([client]) => {
    const { tools } = await client.listTools();
    same(
      tools.map(({ name }) => name),
      ["get-alerts", "get-forecast"],
    );
    same(await tool(client, "get-alerts", { state: "ca" }), "Flood Watch (Severe)\nWhere: Sonoma\nUntil noon");
    same(await tool(client, "get-alerts", { state: "NV" }), "No active alerts for NV");
    same(
      await tool(client, "get-forecast", { latitude: 38.58, longitude: -121.49 }),
      "Tonight: 54°F, wind 5 mph SW, Clear",
    );
    for (const [name, args, problem] of [
      ["get-alerts", { state: "CAL" }, /state: Two letters, such as CA/],
      ["get-alerts", { state: "OR" }, /unexpected data/],
      ["get-forecast", { latitude: 91, longitude: 0 }, /latitude/],
      ["get-forecast", { latitude: 48.1, longitude: 11.5 }, /covers the US only/],
    ] as const) {
      const result = await client.callTool({ name, arguments: args });
      same([result.isError, problem.test(textOf(result))], [true, true], textOf(result));
    }
  },
);
service.close();
