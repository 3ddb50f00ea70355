package lottery.credit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import lottery.AdmittedCommandSender;
import lottery.IdempotentReplies;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.credit.Booked;
import lottery.api.credit.CreditAmount;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEntry;
import lottery.api.rebate.BehaviourId;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Books credits by hand over REST: spent or given. A repeated request is recognised by its business number. */
@RestController
@Tag(name = "Credit", description = "Bookings of credits by hand.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class CreditEndpoint {

    /** Text without control characters. */
    private static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    /**
     * Excludes the numbers of awards, recharges and rebates: a booking by hand under such a number would block theirs.
     */
    private static final String BUSINESS_NO =
            "(?!" + BookCredits.OF_AWARD + "|" + BookCredits.OF_RECHARGE + "|" + BehaviourId.PREFIX + ")" + TEXT;

    /**
     * @param amount a negative amount is spent
     * @param reason for people
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

    private final AdmittedCommandSender commands;

    CreditEndpoint(AdmittedCommandSender commands) {
        this.commands = commands;
    }

    @Operation(summary = "Give or take credits", description = """
                    Books an amount by hand: a negative amount is spent. `businessNo` is the caller's own number: it
                    books once, and the same number again is answered 200 with the first booking, or refused with
                    KEY_REUSED if the amount is another one. A balance never falls below 0: then it is refused with
                    CREDITS_SHORT. Amounts are exact decimals in strings.""")
    @PostMapping("/api/v1/users/{userId}/credits/entries")
    ResponseEntity<CreditEntry> bookCredits(@PathVariable UserId userId, @Valid @RequestBody CreditEntryRequest form) {
        BookCredits book = form.by(userId);
        // Credits may still be given to a banned user: what he has won before, for example.
        if (book.amount().signum() < 0) {
            commands.requireNotBanned(userId);
        }
        Booked booked = send(book).orRefuse();
        return booked.isNew() ? IdempotentReplies.created(booked.entry()) : IdempotentReplies.repeated(booked.entry());
    }

    /** Sends the booking, and once more if another node has created the account at the same time. */
    private Answer<Booked> send(BookCredits book) {
        Answer<Booked> answer = commands.send(book);
        return answer instanceof Answer.No<Booked>(Refused refused) && refused.why() == Refusal.KEY_REUSED
                ? commands.send(book)
                : answer;
    }
}
