"""A bad network: a TCP proxy that delays, throttles, cuts into pieces and breaks off what passes through it."""

import asyncio
import contextlib
import random


class ChaosProxy:
    """Listens on `port` of 127.0.0.1 and passes everything to a server's port. Use it as an async context.

    Each connection gets a delay of up to `delay_s` and pieces of random size, some a thin line of `thin_bytes_s`, and ends without a
    word after `life_s` seconds on average.
    """

    def __init__(self, server_port, seed, delay_s=0.15, thin_bytes_s=40_000, thin_share=0.2, life_s=20):
        self.server_port = server_port
        self.random = random.Random(seed)
        self.delay_s, self.thin_bytes_s, self.thin_share, self.life_s = delay_s, thin_bytes_s, thin_share, life_s
        self.connections = self.broken = 0

    async def __aenter__(self):
        self.listener = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.listener.close()
        await self.listener.wait_closed()

    async def serve(self, reader, writer):
        self.connections += 1
        try:
            to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self.server_port)
        except OSError:
            return writer.close()
        thin = self.random.random() < self.thin_share
        ways = [asyncio.create_task(self.carry(a, b, thin)) for a, b in ((reader, to_writer), (to_reader, writer))]
        try:
            _, waiting = await asyncio.wait(ways, timeout=self.random.expovariate(1 / self.life_s),
                                            return_when=asyncio.FIRST_COMPLETED)
            self.broken += len(waiting) == 2
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in (writer, to_writer):
                end.transport.abort()  # a reset, not an orderly end

    async def carry(self, reader, writer, thin):
        """Bytes of one direction; they keep their order, so each piece waits as long as those before it."""
        with contextlib.suppress(OSError):
            while piece := await reader.read(self.random.choice((1, 7, 100, 1400, 16384))):
                await asyncio.sleep(self.delay_s * self.random.random() ** 4)
                if thin:
                    await asyncio.sleep(len(piece) / self.thin_bytes_s)
                writer.write(piece)
                await writer.drain()
