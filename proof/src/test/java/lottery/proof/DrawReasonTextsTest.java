package lottery.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import lottery.rule.DrawReason;
import lottery.rule.DrawReason.AmountDrawn;
import lottery.rule.DrawReason.AwardsHeld;
import lottery.rule.DrawReason.Blacklisted;
import lottery.rule.DrawReason.EndedInNothing;
import lottery.rule.DrawReason.FallenBack;
import lottery.rule.DrawReason.LeftOut;
import lottery.rule.DrawReason.LimitReached;
import lottery.rule.DrawReason.Looked;
import lottery.rule.DrawReason.NoneLeft;
import lottery.rule.DrawReason.OverBudget;
import lottery.rule.DrawReason.Picked;
import lottery.rule.DrawReason.PickedNothing;
import lottery.rule.DrawReason.TierReached;
import lottery.rule.DrawReason.Won;
import lottery.rule.DrawSituation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The texts of reasons")
class DrawReasonTextsTest {

    private static final CompiledStrategy RULES =
            Described.single().award(1, "0.5").locked(2, "0.25", 3).fallback(1).rules();

    private static final DrawSituation SITUATION = new DrawSituation(new UserId("ann"), 5, 1, Set.of());

    private final DrawReasonTexts words = new DrawReasonTexts();

    static List<DrawReason> reasons() {
        return List.of(
                new Blacklisted(1),
                new TierReached(5, 4, List.of(1, 2)),
                new LimitReached(List.of(2)),
                new OverBudget(List.of(2)),
                new AwardsHeld(List.of(2)),
                new LeftOut(List.of(2)),
                new Picked(2, BigInteger.ONE, BigInteger.valueOf(4)),
                new PickedNothing(),
                new NoneLeft(),
                new Looked("lock", "lock", "open", "stock"),
                new Looked("lock", "lock", "locked", "fallback"),
                new Looked("stock", "stock", "left", "win"),
                new Looked("stock", "stock", "soldOut", "fallback"),
                new Looked("my {node}", "drawsBefore", "5", "win"),
                new Won(2),
                new FallenBack(1),
                new EndedInNothing(),
                new AmountDrawn(new BigDecimal("1234.50"), new BigDecimal("0.50"), new BigDecimal("2000.00")));
    }

    @Test
    @DisplayName("Every kind of reason has a text.")
    void all() {
        assertThat(reasons().stream().map(Object::getClass).collect(Collectors.toSet()))
                .isEqualTo(Set.of(DrawReason.class.getPermittedSubclasses()));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    @DisplayName("A reason is a sentence in Chinese and in English, with all its facts.")
    void inBothLanguages(DrawReason reason) {
        String english = sentence(Locale.ENGLISH, reason);
        String chinese = sentence(Locale.SIMPLIFIED_CHINESE, reason);
        assertThat(isChinese(english)).isFalse();
        assertThat(english).endsWith(".");
        assertThat(isChinese(chinese)).isTrue();
        assertThat(chinese).endsWith("。");
        assertThat(Stream.of(english, chinese)).noneMatch(text -> text.matches(".*\\{\\d}.*"));
    }

    @Test
    @DisplayName("A reason names the award by its title, and the numbers as they are.")
    void sentences() {
        assertThat(words.why(
                        List.of(
                                new Picked(2, BigInteger.ONE, BigInteger.valueOf(4_000)),
                                new Looked("lock", "lock", "locked", "fallback"),
                                new FallenBack(1)),
                        RULES.definition(),
                        SITUATION,
                        Locale.ENGLISH))
                .containsExactly(
                        "The ticket picked “Award 2”. It has 1 of 4000 equally likely cases.",
                        "“Award 2” is locked: it needs 3 draws before on the same day, and there were 1.",
                        "The fallback was given instead: “Award 1”.");
        assertThat(sentence(Locale.SIMPLIFIED_CHINESE, new FallenBack(1))).isEqualTo("改为发放兜底奖品：“Award 1”。");
    }

    @Test
    @DisplayName("Both files have the text of each reason, and no others.")
    void bundles() throws IOException {
        assertThat(keys("texts_zh.properties")).isEqualTo(keys("texts.properties"));
        assertThat(isChinese(words.howToRecompute(Locale.SIMPLIFIED_CHINESE))).isTrue();
        assertThat(words.howToRecompute(Locale.ENGLISH)).contains("HMAC-SHA256", "docs/fairness.md");
    }

    private String sentence(Locale locale, DrawReason reason) {
        return words.why(
                        List.of(new Picked(2, BigInteger.ONE, BigInteger.TWO), reason),
                        RULES.definition(),
                        SITUATION,
                        locale)
                .getLast();
    }

    private static Set<Object> keys(String file) throws IOException {
        Properties texts = new Properties();
        try (Reader in =
                new InputStreamReader(DrawReasonTexts.class.getResourceAsStream(file), StandardCharsets.UTF_8)) {
            texts.load(in);
        }
        return texts.keySet();
    }

    private static boolean isChinese(String text) {
        return text.codePoints().anyMatch(point -> Character.UnicodeScript.of(point) == Character.UnicodeScript.HAN);
    }
}
