"""PDFs as jobs (resolvers/pdf/runs.py): nobody waits for them, and all see how far they are."""

from dataclasses import dataclass

from jobs.kinds import Work
from jobs.print_process import NotInstalledError, PrintError, TooLargeError, TooSlowError
from jobs.printing import Printer
from resolvers.core.errors import NotInstalled, PreconditionFailed, Unavailable
from resolvers.core.runners import read
from resolvers.pdf.runs import check_printout, printout_of


@dataclass(frozen=True, slots=True)
class PdfMaker:
    """Does the jobs that make PDFs."""

    printer: Printer

    async def __call__(self, work: Work) -> None:
        """Make a PDF and keep it, where requests for it find it."""
        printout = printout_of(work.arguments)
        await read(work.ctx, check_printout, printout)
        try:
            await self.printer.make(printout, work.lease.report)
        except NotInstalledError as error:
            raise NotInstalled(str(error)) from None
        except (TooLargeError, TooSlowError) as error:
            # It would be the next time, too.
            raise PreconditionFailed(str(error)) from None
        except PrintError as error:
            raise Unavailable(str(error)) from None
