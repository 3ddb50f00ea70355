package lottery.credit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.api.UserId;
import lottery.api.credit.CreditAmount;
import lottery.api.credit.CreditBookingResult;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEntry;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalState;
import lottery.api.proposal.ProposedAction;
import lottery.api.rebate.BehaviourId;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Books credits by hand over REST, spent or given. A repeated request is recognised by its business number. */
@RestController
@Tag(name = "Credit", description = "Bookings of credits by hand.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class CreditBookingEndpoint {

    /** The pattern of a text without control characters. */
    static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    /**
     * Excludes the business numbers of awards, recharges and rebates. A booking by hand under such a number would block
     * the booking for that award, recharge or rebate.
     */
    private static final String BUSINESS_NO =
            "(?!" + BookCredits.OF_AWARD + "|" + BookCredits.OF_RECHARGE + "|" + BehaviourId.PREFIX + ")" + TEXT;

    /**
     * @param amount a negative amount is spent
     * @param reason a text for people
     */
    record CreditEntryRequest(
            @NotNull @Pattern(regexp = CreditAmount.SHAPE) String amount,

            @NotBlank @Pattern(regexp = BUSINESS_NO) @Size(max = BookCredits.BUSINESS_NO_LENGTH_MAX)
            String businessNo,

            @Nullable @Pattern(regexp = TEXT) @Size(max = 200)
            String reason) {

        BookCredits by(UserId userId) {
            return new BookCredits(userId, new BigDecimal(amount), businessNo, reason);
        }
    }

    private final EndpointCommandSender commands;
    private final CreditBookingIndex numbers;

    /** The largest amount that one person books alone. */
    private final BigDecimal aloneMax;

    CreditBookingEndpoint(
            EndpointCommandSender commands,
            CreditBookingIndex numbers,
            @Value("${lottery.credits.alone-max:1000}") BigDecimal aloneMax) {
        this.commands = commands;
        this.numbers = numbers;
        this.aloneMax = aloneMax;
    }

    @Operation(summary = "Give or take credits", description = """
                    Books an amount of credits by hand; a negative amount is spent. Amounts are exact decimals in
                    strings. `businessNo` is the caller's own number and is booked once: the same request again returns
                    200 with the first booking, and the same number with another amount is refused with KEY_REUSED. The
                    balance never falls below 0; a booking that would need this is refused with CREDITS_SHORT.

                    An amount above `LOTTERY_CREDITS_ALONE_MAX`, given or spent, needs a second person. It is not
                    booked; the response is 202 with a proposal, to which an approver agrees within a week.
                    The same request again returns the proposal, or the booking after it is made. If the proposal was
                    declined or has expired, the request is refused with PROPOSAL_STATE. For smaller amounts proposals
                    are not checked.""")
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = CreditEntry.class)))
    @MayNeedSecondPerson
    @IdempotentCreation
    @PostMapping("/api/v1/users/{userId}/credits/entries")
    ResponseEntity<?> bookCredits(@PathVariable UserId userId, @Valid @RequestBody CreditEntryRequest form) {
        BookCredits book = form.by(userId);
        // Credits may still be given to a banned user, for example for an award that the user won before.
        if (book.amount().signum() < 0) {
            commands.requireNotBanned(userId);
        }
        if (needsSecondPerson(book)) {
            Proposal proposal = commands.send(new ProposeAction(ProposedAction.booking(book), book.reason()))
                    .orThrow();
            if (proposal.state() != ProposalState.AGREED) {
                return ResponseEntity.accepted().body(proposal);
            }
        }
        CreditBookingResult booked = commands.send(book).orThrow();
        return booked.isNew()
                ? IdempotentReplyBuilder.created(booked.entry())
                : IdempotentReplyBuilder.repeated(booked.entry());
    }

    /**
     * Returns whether a second person has to confirm the booking. If its number is booked already, no second person is
     * needed: the answer is the earlier booking, or a refusal.
     */
    private boolean needsSecondPerson(BookCredits book) {
        return book.amount().abs().compareTo(aloneMax) > 0
                && numbers.find(book.target(), book.businessNo()).isEmpty();
    }
}
