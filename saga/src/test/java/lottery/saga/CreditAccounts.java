package lottery.saga;

import static java.util.Objects.requireNonNullElse;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.credit.CreditBookingResult;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEntry;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/** Replaces the credit accounts of the command side: the same rules, no aggregate, and faults on demand. */
class CreditAccounts {

    private record UserEntry(UserId userId, CreditEntry entry) {}

    private final List<UserEntry> lines = new CopyOnWriteArrayList<>();
    private final List<BookCredits> received = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<String, Integer> failuresLeft = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Integer> lossesLeft = new ConcurrentHashMap<>();

    private final ConcurrentMap<String, UnitOfWork<?>> unitsOfWork = new ConcurrentHashMap<>();

    /** Fails as many bookings under this number. */
    void fail(String businessNo, int times) {
        failuresLeft.put(businessNo, times);
    }

    /** Books under this number, but loses as many answers. */
    void lose(String businessNo, int times) {
        lossesLeft.put(businessNo, times);
    }

    int timesAsked(String businessNo) {
        return (int) received.stream()
                .filter(book -> book.businessNo().equals(businessNo))
                .count();
    }

    /** Returns the unit of work that asked last for the booking with this number. */
    Optional<UnitOfWork<?>> unitOfWorkOf(String businessNo) {
        return Optional.ofNullable(unitsOfWork.get(businessNo));
    }

    List<CreditEntry> of(UserId userId) {
        return lines.stream()
                .filter(line -> line.userId().equals(userId))
                .map(UserEntry::entry)
                .toList();
    }

    synchronized Answer<CreditBookingResult> book(BookCredits book) {
        received.add(book);
        unitsOfWork.put(book.businessNo(), CurrentUnitOfWork.get().root());
        if (takes(failuresLeft, book)) {
            throw new IllegalStateException("the database is away");
        }
        Answer<CreditBookingResult> answer = of(book.userId()).stream()
                .filter(entry -> entry.businessNo().equals(book.businessNo()))
                .findFirst()
                .map(entry -> again(book, entry))
                .orElseGet(() -> Answer.done(new CreditBookingResult(add(book), true)));
        if (takes(lossesLeft, book)) {
            throw new IllegalStateException("the answer is lost");
        }
        return answer;
    }

    private static boolean takes(ConcurrentMap<String, Integer> left, BookCredits book) {
        return requireNonNullElse(left.computeIfPresent(book.businessNo(), (_, times) -> times - 1), -1) >= 0;
    }

    private static Answer<CreditBookingResult> again(BookCredits book, CreditEntry before) {
        return before.amount().compareTo(book.amount()) == 0
                ? Answer.done(new CreditBookingResult(before, false))
                : Answer.no(new Refused(Refusal.KEY_REUSED, book.businessNo()));
    }

    private CreditEntry add(BookCredits book) {
        List<CreditEntry> before = of(book.userId());
        BigDecimal balance =
                before.isEmpty() ? BigDecimal.ZERO : before.getLast().balance();
        CreditEntry entry = new CreditEntry(
                before.size() + 1L,
                book.amount(),
                balance.add(book.amount()),
                book.businessNo(),
                book.reason(),
                Instant.EPOCH);
        UserEntry line = new UserEntry(book.userId(), entry);
        lines.add(line);
        if (!CurrentUnitOfWork.get().isRoot()) {
            // Other commands of the same unit of work may fail.
            CurrentUnitOfWork.get().onRollback(rolledBack -> lines.remove(line));
        }
        return entry;
    }
}
