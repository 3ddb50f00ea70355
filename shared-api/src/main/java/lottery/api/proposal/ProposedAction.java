package lottery.api.proposal;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.Objects;
import lottery.api.ShardedUuid;
import lottery.api.UserId;
import lottery.api.award.AwardRecordId;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditAmount;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.payment.PaymentProgress;
import lottery.api.payment.PaymentProgress.TakenTrade;
import lottery.api.person.PersonId;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleId;
import lottery.api.strategy.Remedy;
import org.jspecify.annotations.Nullable;

/**
 * An action that needs two persons, with all that is needed to carry it out.
 *
 * @param subject what it is done to, for example the id of an award record
 * @param userId whom it concerns; null for rules, accounts, parked events and dead letters
 * @param amount the number of credits to book, negative if they are spent; or the money that is given back
 * @param currency the currency of the money; null for credits
 * @param businessNo the number of the booking
 * @param keyId the key of the person that is deleted, the draft of the account that comes into force, or the trade
 *     whose money is given back
 * @param version the version of the rule that comes into force, or how often this refund was ordered before
 * @param rule the rule in this version
 */
public record ProposedAction(
        ProposedActionKind kind,
        String subject,
        @Nullable UserId userId,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal amount,

        @Nullable String currency,
        @Nullable String businessNo,
        @Nullable String keyId,
        @Nullable Integer version,
        @Nullable RebateRuleDefinition rule) {

    public ProposedAction {
        boolean isWhole = switch (kind) {
            case BOOK_CREDITS -> userId != null && amount != null && businessNo != null;
            case ADOPT_RULE -> version != null && rule != null;
            case ERASE_PERSON -> userId != null && keyId != null;
            case CHANGE_ACCOUNT -> keyId != null;
            case REFUND_PAYMENT, NOTE_REFUND ->
                userId != null && amount != null && currency != null && keyId != null && version != null;
            case VOID_AWARD, SUBSTITUTE_AWARD, RETURN_CHANCE, DROP_REBATE -> userId != null;
            case DROP_PARKED_EVENT, DROP_DEAD_LETTER -> true;
        };
        if (!isWhole) {
            throw new IllegalArgumentException("something is missing to carry out " + kind);
        }
        if (amount != null && currency == null) {
            amount = CreditAmount.plain(amount);
        }
    }

    public static ProposedAction booking(BookCredits booking) {
        return new ProposedAction(
                ProposedActionKind.BOOK_CREDITS,
                new CreditAccountId(booking.userId()).text(),
                booking.userId(),
                booking.amount(),
                null,
                booking.businessNo(),
                null,
                null,
                null);
    }

    public static ProposedAction adoption(RebateRuleId ruleId, int version, RebateRuleDefinition rule) {
        return new ProposedAction(
                ProposedActionKind.ADOPT_RULE, ruleId.text(), null, null, null, null, null, version, rule);
    }

    public static ProposedAction erasure(UserId userId, String keyId) {
        return new ProposedAction(
                ProposedActionKind.ERASE_PERSON,
                new PersonId(userId).text(),
                userId,
                null,
                null,
                null,
                keyId,
                null,
                null);
    }

    public static ProposedAction accountChange(String account, String draftId) {
        return new ProposedAction(
                ProposedActionKind.CHANGE_ACCOUNT, "account:" + account, null, null, null, null, draftId, null, null);
    }

    /** Returns the refund of a trade, or the note that its money was given back. */
    public static ProposedAction refund(ProposedActionKind kind, PaymentProgress payment, TakenTrade taken) {
        return new ProposedAction(
                kind,
                payment.paymentId().text(),
                payment.accountId().userId(),
                taken.money().amount(),
                taken.money().currency(),
                null,
                taken.trade().toString(),
                taken.refunds(),
                null);
    }

    public static ProposedAction voiding(AwardRecordId award, UserId winner) {
        return about(ProposedActionKind.VOID_AWARD, award.text(), winner);
    }

    public static ProposedAction remedy(AwardRecordId award, UserId winner, Remedy remedy) {
        return switch (remedy) {
            case SUBSTITUTE -> about(ProposedActionKind.SUBSTITUTE_AWARD, award.text(), winner);
            case RETURN_CHANCE -> about(ProposedActionKind.RETURN_CHANCE, award.text(), winner);
            case MANUAL -> throw new IllegalArgumentException("a person cannot choose " + remedy);
        };
    }

    public static ProposedAction dropOfParkedEvent(String subject) {
        return about(ProposedActionKind.DROP_PARKED_EVENT, subject, null);
    }

    public static ProposedAction dropOfDeadLetter(String subject) {
        return about(ProposedActionKind.DROP_DEAD_LETTER, subject, null);
    }

    public static ProposedAction dropOfRebate(String subject, UserId userId) {
        return about(ProposedActionKind.DROP_REBATE, subject, userId);
    }

    private static ProposedAction about(ProposedActionKind kind, String subject, @Nullable UserId userId) {
        return new ProposedAction(kind, subject, userId, null, null, null, null, null, null);
    }

    /**
     * Returns the id of the proposal of this action. The same action has the same id, so it waits at most once. Two
     * bookings under one business number are the same action, also if their amounts differ.
     */
    public ProposalId proposalId() {
        String[] facts = {
            kind.name(),
            subject,
            Objects.toString(businessNo, ""),
            Objects.toString(keyId, ""),
            Objects.toString(version, ""),
            Objects.toString(rule, "")
        };
        return new ProposalId(
                userId == null ? ShardedUuid.ofNoUser(subject, facts) : ShardedUuid.derived(userId, facts));
    }

    /** Returns the booking that is proposed, with the reason of its proposer. */
    public BookCredits toBooking(@Nullable String reason) {
        return new BookCredits(user(), Objects.requireNonNull(amount), Objects.requireNonNull(businessNo), reason);
    }

    /** Returns the user whom the action concerns. */
    public UserId user() {
        return Objects.requireNonNull(userId);
    }
}
