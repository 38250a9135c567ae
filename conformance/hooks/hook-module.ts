import { pathToFileURL } from "node:url";
import { onOneLine } from "../target/on-one-line.ts";
import { HookFailure } from "./hook-failure.ts";

/** Calls a function of a local module with a value of JSON; it may answer at once or with a promise. */
export async function callModule(path: string, name: string, input: unknown, signal: AbortSignal): Promise<unknown> {
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(new HookFailure("it had not answered when its time was up"));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([called(path, name, input), stopped.promise]);
  } catch (error) {
    if (error instanceof HookFailure) throw error;
    throw new HookFailure(`it threw "${onOneLine(messageOf(error)).slice(0, 200)}"`);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function called(path: string, name: string, input: unknown): Promise<unknown> {
  const module: Readonly<Record<string, unknown>> = await import(/* @vite-ignore */ pathToFileURL(path).href).catch(
    (error: unknown) => {
      throw new HookFailure(`its module ${path} cannot be loaded (${onOneLine(messageOf(error)).slice(0, 200)})`);
    },
  );
  const hook = module[name];
  if (typeof hook !== "function") throw new HookFailure(`its module ${path} exports no function ${name}`);
  return hook(input);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
