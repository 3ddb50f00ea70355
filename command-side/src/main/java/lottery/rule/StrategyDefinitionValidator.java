package lottery.rule;

import static lottery.api.SubmissionFlaw.FlawKind.AMOUNT_EMPTY;
import static lottery.api.SubmissionFlaw.FlawKind.AMOUNT_TOO_FINE;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_LIMITED;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_LOCKED;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_TWICE;
import static lottery.api.SubmissionFlaw.FlawKind.AWARD_UNKNOWN;
import static lottery.api.SubmissionFlaw.FlawKind.CLAIM_DAYS_UNFIT;
import static lottery.api.SubmissionFlaw.FlawKind.CONTENT_UNFIT;
import static lottery.api.SubmissionFlaw.FlawKind.CREDITS_MISSING;
import static lottery.api.SubmissionFlaw.FlawKind.GRANT_TIME_DOES_NOT_FIT;
import static lottery.api.SubmissionFlaw.FlawKind.KIND_UNFIT;
import static lottery.api.SubmissionFlaw.FlawKind.RATES_ABOVE_ONE;
import static lottery.api.SubmissionFlaw.FlawKind.RATES_BELOW_ONE;
import static lottery.api.SubmissionFlaw.FlawKind.RATE_NOT_POSITIVE;
import static lottery.api.SubmissionFlaw.FlawKind.RATE_TOO_FINE;
import static lottery.api.SubmissionFlaw.FlawKind.REMEDY_IMPOSSIBLE;
import static lottery.api.SubmissionFlaw.FlawKind.TIER_TWICE;
import static lottery.api.SubmissionFlaw.FlawKind.TIME_OUT_OF_RANGE;
import static lottery.api.SubmissionFlaw.FlawKind.URL_UNFIT;

import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import lottery.api.StorableTimeRange;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.entitlement.ContentId;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.ClaimDays;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.Tier;
import org.jspecify.annotations.Nullable;

/** Checks a strategy, and finds all of its flaws at once. */
public final class StrategyDefinitionValidator {

    /**
     * The largest amount. A draw counts an amount in units of its last decimal, and this count must fit into a long.
     */
    private static final BigDecimal AMOUNT_MAX = new BigDecimal("1000000000");

    private static final int AMOUNT_SCALE_MAX = 6;

    private static final int URL_LENGTH_MAX = 500;

    /** The form of {@code kind}, by which fulfilment systems tell OTHER awards apart. */
    private static final Pattern KIND = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private final StrategyDefinition definition;
    private final Map<Integer, AwardDefinition> awards;
    private final List<SubmissionFlaw> findings = new ArrayList<>();

    private StrategyDefinitionValidator(StrategyDefinition definition) {
        this.definition = definition;
        this.awards = definition.awards().stream()
                .collect(Collectors.toMap(AwardDefinition::awardId, Function.identity(), (first, second) -> first));
    }

    public static List<SubmissionFlaw> findings(StrategyDefinition definition) {
        StrategyDefinitionValidator validator = new StrategyDefinitionValidator(definition);
        validator.awards();
        validator.sumOfRates();
        validator.fallback();
        validator.blacklist();
        validator.tiers();
        validator.tree();
        return validator.findings;
    }

    private void awards() {
        Set<Integer> seen = new HashSet<>();
        List<AwardDefinition> all = definition.awards();
        for (int i = 0; i < all.size(); i++) {
            String pointer = "/awards/" + i;
            if (!seen.add(all.get(i).awardId())) {
                found(pointer + "/awardId", AWARD_TWICE);
            }
            rate(all.get(i).rate(), pointer + "/rate");
            amount(all.get(i).amount(), pointer + "/amount");
            config(all.get(i), pointer + "/config");
            grant(all.get(i).grant(), pointer + "/grant/at");
            onFailure(all.get(i), pointer + "/onFailure");
        }
    }

    private void rate(BigDecimal rate, String pointer) {
        if (rate.signum() <= 0) {
            found(pointer, RATE_NOT_POSITIVE);
        } else if (rate.scale() > AliasTable.RATE_SCALE_MAX) {
            found(pointer, RATE_TOO_FINE);
        } else if (rate.compareTo(BigDecimal.ONE) > 0) {
            found(pointer, RATES_ABOVE_ONE);
        }
    }

    private void amount(@Nullable AmountRange range, String pointer) {
        if (range == null) {
            return;
        }
        if (range.min().signum() <= 0
                || range.min().compareTo(range.max()) > 0
                || range.max().compareTo(AMOUNT_MAX) > 0) {
            found(pointer, AMOUNT_EMPTY);
        } else if (AmountPicker.scale(range) > AMOUNT_SCALE_MAX) {
            found(pointer, AMOUNT_TOO_FINE);
        }
    }

    /**
     * Checks the config of an award. Whether credits or a URL are needed depends on the fulfilment: see
     * {@link ActivityPreflight}.
     */
    private void config(AwardDefinition award, String pointer) {
        Map<String, String> config = award.config();
        switch (award.type()) {
            case TEXT, CODE -> {}
            case CREDIT -> {
                if (CreditAwardValidator.areUnreadable(award)) {
                    findings.add(new SubmissionFlaw(
                            pointer + "/credits", CREDITS_MISSING, Integer.toString(award.awardId())));
                }
            }
            case COUPON -> {
                // The process that calls the URL decides which addresses it may call.
                if (config.containsKey("url") && !isWebAddress(config.get("url"))) {
                    found(pointer + "/url", URL_UNFIT);
                }
            }
            case PHYSICAL -> {
                if (!ClaimDays.areFit(config)) {
                    found(pointer + "/" + ClaimDays.KEY, CLAIM_DAYS_UNFIT);
                }
            }
            case ENTITLEMENT -> {
                if (ContentId.ofAward(config).isEmpty()) {
                    found(pointer + "/" + ContentId.KEY, CONTENT_UNFIT);
                }
            }
            case OTHER -> {
                if (!KIND.matcher(config.getOrDefault("kind", "")).matches()) {
                    found(pointer + "/kind", KIND_UNFIT);
                }
            }
        }
    }

    /** Requires a time if the grant is scheduled, and forbids a time otherwise. */
    private void grant(GrantTime grant, String pointer) {
        if ((grant.timing() == GrantTime.Timing.SCHEDULED) != (grant.at() != null)) {
            found(pointer, GRANT_TIME_DOES_NOT_FIT);
        }
        if (grant.at() != null && !StorableTimeRange.isInRange(grant.at())) {
            found(pointer, TIME_OUT_OF_RANGE);
        }
    }

    /**
     * Checks the remedy. A substitute needs a fallback that is not the award itself. An award that is handed over at
     * the end of the activity cannot have a chance as its remedy, because the chance would be worth nothing then.
     */
    private void onFailure(AwardDefinition award, String pointer) {
        Integer fallback = definition.fallback();
        boolean isImpossible = switch (award.onFailure()) {
            case SUBSTITUTE -> fallback == null || fallback == award.awardId();
            case RETURN_CHANCE -> award.grant().timing() == GrantTime.Timing.ACTIVITY_END;
            case MANUAL -> false;
        };
        if (isImpossible) {
            found(pointer, REMEDY_IMPOSSIBLE);
        }
    }

    private static boolean isWebAddress(String text) {
        try {
            URI uri = new URI(text);
            return text.length() <= URL_LENGTH_MAX
                    && uri.getScheme() != null
                    && uri.getScheme().toLowerCase(Locale.ROOT).matches("https?")
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /**
     * Checks the sum of the rates. It does nothing if a rate is invalid, because only small, positive rates can be
     * added at a reasonable cost.
     */
    private void sumOfRates() {
        if (findings.stream().anyMatch(finding -> finding.pointer().endsWith("/rate"))) {
            return;
        }
        BigDecimal sum =
                definition.awards().stream().map(AwardDefinition::rate).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (sum.compareTo(BigDecimal.ONE) > 0) {
            found("/awards", RATES_ABOVE_ONE);
        } else if (definition.ratesAddUpToOne() && sum.compareTo(BigDecimal.ONE) < 0) {
            found("/awards", RATES_BELOW_ONE);
        }
    }

    /**
     * Checks that the fallback exists, and is available at any time and for every user: it has no stock, no lock and no
     * limit per user.
     */
    private void fallback() {
        Integer fallback = definition.fallback();
        if (fallback != null) {
            alwaysThere(fallback, "/fallback");
            if (awards.containsKey(fallback) && awards.get(fallback).lockedUntilDraws() > 0) {
                found("/fallback", AWARD_LOCKED);
            }
        }
    }

    private void blacklist() {
        Blacklist blacklist = definition.blacklist();
        if (blacklist != null) {
            alwaysThere(blacklist.awardId(), "/blacklist/awardId");
        }
    }

    private void alwaysThere(int awardId, String pointer) {
        AwardDefinition award = awards.get(awardId);
        if (award == null) {
            found(pointer, AWARD_UNKNOWN);
        } else if (award.stock() != null || award.maxPerUser() != null) {
            found(pointer, AWARD_LIMITED);
        }
    }

    private void tiers() {
        Set<Integer> begins = new HashSet<>();
        for (int i = 0; i < definition.tiers().size(); i++) {
            Tier tier = definition.tiers().get(i);
            if (!begins.add(tier.from())) {
                found("/tiers/" + i + "/from", TIER_TWICE);
            }
            awardsOf(tier, "/tiers/" + i + "/awardIds/");
        }
    }

    private void awardsOf(Tier tier, String pointer) {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < tier.awardIds().size(); i++) {
            int awardId = tier.awardIds().get(i);
            if (!awards.containsKey(awardId)) {
                found(pointer + i, AWARD_UNKNOWN);
            } else if (!seen.add(awardId)) {
                found(pointer + i, AWARD_TWICE);
            }
        }
    }

    private void tree() {
        if (definition.tree() != null) {
            findings.addAll(AwardTreeRules.findings(definition));
        }
    }

    private void found(String pointer, FlawKind flaw) {
        findings.add(new SubmissionFlaw(pointer, flaw));
    }
}
