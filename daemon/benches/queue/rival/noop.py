"""Jobs that do nothing, through procrastinate: so many queued, then 16 at once until none is left or time is over.

Usage: noop.py DSN JOBS SECONDS     prints jobs a second
"""

import asyncio
import sys
import time

import procrastinate

CONCURRENCY = 16

dsn, jobs, window = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=dsn, max_size=CONCURRENCY + 1))


@app.task
async def noop():
    pass


async def main():
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        for first in range(0, jobs, 1000):
            await noop.batch_defer_async(*[{} for _ in range(min(1000, jobs - first))])
        start = time.perf_counter()
        worker = app.run_worker_async(concurrency=CONCURRENCY, wait=False, install_signal_handlers=False)
        try:
            await asyncio.wait_for(worker, window)
        except TimeoutError:
            pass
        seconds = time.perf_counter() - start
        done = (await app.connector.execute_query_one_async(
            "select count(*) as done from procrastinate_jobs where status = 'succeeded'"))["done"]
        print(f"{done / seconds:.1f}")


asyncio.run(main())
