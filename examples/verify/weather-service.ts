import { createServer, type Server } from "node:http";

/** A local fake of the weather service: its responses by path, in which `{origin}` stands for its own origin. */
export function weatherService(answers: Readonly<Record<string, unknown>>): Server {
  return createServer(({ url, headers }, response) => {
    const answer = headers["user-agent"]?.startsWith("mcpwright") === true ? answers[String(url)] : undefined;
    response.writeHead(answer === undefined ? 404 : 200, { "Content-Type": "application/geo+json" });
    response.end(JSON.stringify(answer ?? {}).replaceAll("{origin}", `http://${String(headers.host)}`));
  });
}

export function period(name: string, temperature: number, shortForecast: string): object {
  return { name, temperature, temperatureUnit: "F", windSpeed: "5 mph", windDirection: "SW", shortForecast };
}
