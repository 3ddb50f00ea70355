package lottery.api.proposal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of proposals.
 *
 * @param next where the next page begins; null on the last page
 */
public record ProposalPage(List<Proposal> items, @Nullable String next) {

    public ProposalPage {
        items = List.copyOf(items);
    }
}
