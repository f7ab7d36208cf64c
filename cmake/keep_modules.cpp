// Part of programs that are built with sanitizers. What leaks is looked for at the end, when drivers and plugins would
// be gone from memory: what they hold would pass for a leak, and the report could not name them.
extern "C" int dlclose(void*)
{
  return 0;
}
