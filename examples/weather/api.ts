import { z } from "zod";

/** The US National Weather Service. It needs no API key, but requires a User-Agent that identifies the program. */
const base = process.env["WEATHER_API"] ?? "https://api.weather.gov";
const headers = { "User-Agent": "mcpwright-weather-example/1.0", Accept: "application/geo+json" };

const Alerts = z.object({
  features: z.array(
    z.object({
      properties: z.object({
        event: z.string().default("Unknown event"),
        areaDesc: z.string().default("unknown area"),
        severity: z.string().default("unknown severity"),
        headline: z.string().nullish(),
      }),
    }),
  ),
});

const Point = z.object({ properties: z.object({ forecast: z.url() }) });

const Forecast = z.object({
  properties: z.object({
    periods: z.array(
      z.object({
        name: z.string(),
        temperature: z.number(),
        temperatureUnit: z.string(),
        windSpeed: z.string(),
        windDirection: z.string(),
        shortForecast: z.string(),
      }),
    ),
  }),
});

export type Alert = z.infer<typeof Alerts>["features"][number]["properties"];
export type Period = z.infer<typeof Forecast>["properties"]["periods"][number];

export async function alertsOf(state: string, signal: AbortSignal): Promise<Alert[]> {
  const { features } = await get(`${base}/alerts/active/area/${state}`, Alerts, signal);
  return features.map(({ properties }) => properties);
}

/** The API needs two requests: one for the grid cell of the place, one for the forecast of the cell. */
export async function forecastAt(latitude: number, longitude: number, signal: AbortSignal): Promise<Period[]> {
  const point = await get(`${base}/points/${latitude.toFixed(4)},${longitude.toFixed(4)}`, Point, signal);
  const { properties } = await get(point.properties.forecast, Forecast, signal);
  return properties.periods;
}

async function get<T extends z.ZodType>(url: string, shape: T, signal: AbortSignal): Promise<z.infer<T>> {
  const response = await fetch(url, { headers, signal }).catch((error: unknown) => {
    throw new Error(`The weather service cannot be reached: ${String((error as Error).cause ?? error)}`);
  });
  if (response.status === 404) throw new Error("The weather service does not know this place: it covers the US only");
  if (!response.ok) throw new Error(`The weather service responded with ${response.status} ${response.statusText}`);
  const body = shape.safeParse(await response.json());
  if (!body.success) throw new Error("The weather service responded with unexpected data");
  return body.data;
}
