package lottery.view.signin;

import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;

/** The row of a month; {@link SignInProjection} writes it. */
@Entity
@Table(name = "view_sign_in")
class SignInRow {

    @EmbeddedId
    private SignInMonthKey key;

    private int days;
    private long version;

    /** Hibernate needs this constructor. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected SignInRow() {}

    SignInMonthKey key() {
        return key;
    }

    int days() {
        return days;
    }

    long version() {
        return version;
    }
}
