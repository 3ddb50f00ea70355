package lottery.view.reconciliation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import lottery.api.Money;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The file of a statement")
class StatementParserTest {

    private static final String HEADER = "tradeNo,kind,amount,currency,paymentNo";

    private static Collection<StatementLine> parse(String file) {
        return StatementParser.parse(file.getBytes(UTF_8));
    }

    private static List<SubmissionFlaw> flaws(String file) {
        return catchThrowableOfType(RefusedException.class, () -> parse(file))
                .refused()
                .findings();
    }

    private static StatementLine line(String tradeNo, StatementKind kind, String amount, String paymentNo) {
        return new StatementLine(tradeNo, kind, new Money(new BigDecimal(amount), "CNY"), paymentNo);
    }

    @Test
    @DisplayName("A file of a spreadsheet is read, with its byte order mark, its quotes and its line ends.")
    void read() {
        assertThat(parse("\ufeff" + HEADER + "\r\n\"a,1\",TAKEN,9.9,CNY,\r\nb,REFUNDED,\"10\",CNY,0012\r\n"))
                .containsExactly(
                        line("a,1", StatementKind.TAKEN, "9.90", ""),
                        line("b", StatementKind.REFUNDED, "10.00", "0012"));
    }

    @Test
    @DisplayName("A day without trades has a header only.")
    void empty() {
        assertThat(parse(HEADER)).isEmpty();
    }

    @Test
    @DisplayName("Parts of the same money are added, but not a refund to what was taken.")
    void parts() {
        assertThat(parse(HEADER + "\na,REFUNDED,3,CNY,\na,TAKEN,9.90,CNY,\na,REFUNDED,6.90,CNY,\n\n"))
                .containsExactly(
                        line("a", StatementKind.REFUNDED, "9.90", ""), line("a", StatementKind.TAKEN, "9.90", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,TAKEN,9.90,CNY | tradeNo,kind,amount,currency,paymentNo",
                "'a,TAKEN,9.90,CNY,,' | tradeNo,kind,amount,currency,paymentNo",
                "'\"a,TAKEN,9.90,CNY,' | tradeNo,kind,amount,currency,paymentNo",
                "',TAKEN,9.90,CNY,' | tradeNo",
                "'a b,TAKEN,9.90,CNY,' | tradeNo",
                "'交易,TAKEN,9.90,CNY,' | tradeNo",
                "'a,PAID,9.90,CNY,' | kind",
                "'a,TAKEN,-9.90,CNY,' | amount",
                "'a,TAKEN,1e9,CNY,' | amount",
                "'a,TAKEN,0,CNY,' | amount",
                "'a,TAKEN,9.901,CNY,' | amount",
                "'a,TAKEN,9999999999999,CNY,' | amount",
                "'a,TAKEN,9.90,ABC,' | amount",
                "'a,TAKEN,9.90,cny,' | currency",
                "'a,TAKEN,9.90,CNY,1 2' | paymentNo",
            })
    @DisplayName("A line that does not fit is found, with what does not fit.")
    void unfit(String line, String subject) {
        assertThat(flaws(HEADER + "\nb,TAKEN,1,CNY,\n" + line + "\nc,TAKEN,1,CNY,"))
                .containsExactly(new SubmissionFlaw("/lines/3", FlawKind.STATEMENT_LINE_UNFIT, subject));
    }

    @Test
    @DisplayName("Parts with two currencies, or with too large a sum, do not fit together.")
    void unfitParts() {
        assertThat(flaws(HEADER + "\na,TAKEN,1,CNY,\na,TAKEN,1,USD,\nb,TAKEN,999999999999,CNY,\nb,TAKEN,1,CNY,"))
                .extracting(SubmissionFlaw::pointer)
                .containsExactly("/lines/3", "/lines/5");
    }

    @Test
    @DisplayName("A file with another header, or with nothing, is refused.")
    void header() {
        assertThat(flaws("a,TAKEN,9.90,CNY,"))
                .containsExactly(new SubmissionFlaw("/lines/1", FlawKind.STATEMENT_LINE_UNFIT, HEADER));
        assertThat(flaws("")).hasSize(1);
    }

    @Test
    @DisplayName("Of many flaws the first five are told.")
    void fewFlaws() {
        assertThat(flaws(HEADER + "\nno line".repeat(50_000)))
                .extracting(SubmissionFlaw::pointer)
                .containsExactly("/lines/2", "/lines/3", "/lines/4", "/lines/5", "/lines/6");
    }

    @Test
    @DisplayName("A file has at most 100,000 lines below its header.")
    void tooLong() {
        String file = HEADER + "\na,TAKEN,1,CNY,".repeat(StatementParser.LINES_MAX);

        assertThat(parse(file)).containsExactly(line("a", StatementKind.TAKEN, "100000", ""));
        assertThat(flaws(file + "\na,TAKEN,1,CNY,"))
                .containsExactly(new SubmissionFlaw("/lines/100002", FlawKind.STATEMENT_TOO_LONG, "100000"));
    }
}
