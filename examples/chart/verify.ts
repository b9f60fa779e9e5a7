import { APP_MIME_TYPE, toolApp } from "@mcpwright/runtime/apps";
import { appsExtension } from "@mcpwright/protocol/extensions/apps";
import { withSettings } from "@mcpwright/protocol/layer-extension";
import { everywhere, port, same, textOf, tool } from "../verify/everywhere.js";
import { period, weatherService } from "../verify/weather-service.js";

const service = weatherService({
  "/points/38.5800,-121.4900": { properties: { forecast: "{origin}/forecast" } },
  "/forecast": { properties: { periods: [period("Tonight", 54, "Clear"), period("Monday", 71, "Sunny")] } },
  "/points/40.0000,-100.0000": { properties: { forecast: "{origin}/none" } },
  "/none": { properties: { periods: [] } },
});
const servers = [new URL("main.ts", import.meta.url)];
const env = { WEATHER_API: `http://127.0.0.1:${await port(service)}` };
const lines = "Tonight: 54°F, Clear\nMonday: 71°F, Sunny";
const place = { latitude: 38.58, longitude: -121.49 };

/** A host that shows apps. */
const extensions = [withSettings(appsExtension, { mimeTypes: [APP_MIME_TYPE] })];

/** The resource of an app. */
interface Page {
  readonly mimeType?: string;
  readonly _meta?: object;
  readonly text?: string;
}

await everywhere({ name: "chart", servers, env, client: { extensions } }, async ([client]) => {
  const { tools } = await client.listTools();
  same(
    tools.map((one) => [one.name, toolApp(one)]),
    [["forecast-chart", { resourceUri: "ui://weather/chart", isForModel: true, isForApps: true }]],
  );
  const { contents } = await client.readResource({ uri: "ui://weather/chart" });
  const [page] = contents as readonly Page[];
  const { mimeType, _meta, text = "" }: Page = page ?? {};
  same([contents.length, mimeType, _meta], [1, APP_MIME_TYPE, { ui: { prefersBorder: true } }]);
  // The page contains its script, and loads nothing.
  same([/<script type="module">[^]{5000,}<\/script>/.test(text), /\s(src|href)=/.test(text)], [true, false]);

  const result = await client.callTool({ name: "forecast-chart", arguments: place });
  same(textOf(result), `The user sees this forecast as a chart:\n${lines}`);
  same(result.structuredContent, {
    ...place,
    periods: [
      { name: "Tonight", temperature: 54, unit: "F", sky: "Clear" },
      { name: "Monday", temperature: 71, unit: "F", sky: "Sunny" },
    ],
  });
  same(await tool(client, "forecast-chart", { latitude: 40, longitude: -100 }), "No forecast is available");
  const abroad = await client.callTool({ name: "forecast-chart", arguments: { latitude: 48.1, longitude: 11.5 } });
  same([abroad.isError, textOf(abroad).includes("covers the US only")], [true, true]);
});

/** A client without apps. */
await everywhere({ name: "chart without apps", servers, env }, async ([client]) => {
  same(await tool(client, "forecast-chart", place), lines);
});
service.close();
