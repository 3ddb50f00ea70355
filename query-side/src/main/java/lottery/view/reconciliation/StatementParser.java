package lottery.view.reconciliation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.Money;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.payment.Trade;
import lottery.view.reconciliation.StatementLine.StatementLineKey;

/**
 * Reads the statement of a provider from CSV. Lines of the same trade and kind are parts of its money, and are added.
 */
final class StatementParser {

    static final int LINES_MAX = 100_000;

    private static final int FLAWS_MAX = 5;
    private static final String AMOUNT = "amount";
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private record StatementColumn(String title, String pattern) {}

    /** The columns, in the order of the file. */
    private static final List<StatementColumn> COLUMNS = List.of(
            new StatementColumn("tradeNo", Trade.NUMBER),
            new StatementColumn("kind", "TAKEN|REFUNDED"),
            new StatementColumn(AMOUNT, "[0-9]{1,12}(\\.[0-9]{1,4})?"),
            new StatementColumn("currency", "[A-Z]{3}"),
            new StatementColumn("paymentNo", "[\\x21-\\x7e]{0,128}"));

    private static final List<String> TITLES =
            COLUMNS.stream().map(StatementColumn::title).toList();

    private static final String HEADER = String.join(",", TITLES);

    private final Map<StatementLineKey, StatementLine> lines = new LinkedHashMap<>();
    private final List<SubmissionFlaw> flaws = new ArrayList<>();

    private StatementParser() {}

    /** Returns the lines, or refuses all of them. */
    static Collection<StatementLine> parse(byte[] file) {
        StatementParser parser = new StatementParser();
        parser.read(new String(file, UTF_8).stripTrailing().lines().iterator());
        if (!parser.flaws.isEmpty()) {
            throw new RefusedException(new Refused(Refusal.INVALID, "statement", parser.flaws));
        }
        return parser.lines.values();
    }

    private void read(Iterator<String> texts) {
        String header = texts.hasNext() ? texts.next() : "";
        String titles = header.startsWith(BYTE_ORDER_MARK) ? header.substring(1) : header;
        if (!CsvLine.decode(titles).orElse(List.of()).equals(TITLES)) {
            refuse(1, FlawKind.STATEMENT_LINE_UNFIT, HEADER);
        }
        for (int number = 2; texts.hasNext() && flaws.size() < FLAWS_MAX; number++) {
            if (number > LINES_MAX + 1) {
                refuse(number, FlawKind.STATEMENT_TOO_LONG, String.valueOf(LINES_MAX));
                return;
            }
            read(number, CsvLine.decode(texts.next()).orElse(List.of()));
        }
    }

    private void read(int number, List<String> cells) {
        Optional<String> unfit = unfit(cells);
        if (unfit.isPresent()) {
            refuse(number, FlawKind.STATEMENT_LINE_UNFIT, unfit.get());
            return;
        }
        StatementLine line = new StatementLine(
                cells.get(0),
                StatementKind.valueOf(cells.get(1)),
                new Money(amount(cells), cells.get(3)),
                cells.get(4));
        StatementLine before = lines.get(line.key());
        if (before != null && !before.fits(line)) {
            refuse(number, FlawKind.STATEMENT_LINE_UNFIT, AMOUNT);
            return;
        }
        lines.put(line.key(), before == null ? line : before.plus(line));
    }

    /** Returns what does not fit; empty if all cells fit. */
    private static Optional<String> unfit(List<String> cells) {
        if (cells.size() != COLUMNS.size()) {
            return Optional.of(HEADER);
        }
        for (int i = 0; i < cells.size(); i++) {
            if (!cells.get(i).matches(COLUMNS.get(i).pattern())) {
                return Optional.of(COLUMNS.get(i).title());
            }
        }
        return Money.isPossible(amount(cells), cells.get(3)) ? Optional.empty() : Optional.of(AMOUNT);
    }

    private static BigDecimal amount(List<String> cells) {
        return new BigDecimal(cells.get(2));
    }

    private void refuse(int number, FlawKind flaw, String subject) {
        flaws.add(new SubmissionFlaw("/lines/" + number, flaw, subject));
    }
}
