package lottery.view.account;

import java.util.Optional;
import org.springframework.data.repository.Repository;

interface AccountRowRepository extends Repository<AccountRow, AccountKey> {

    Optional<AccountRow> findById(AccountKey key);
}
