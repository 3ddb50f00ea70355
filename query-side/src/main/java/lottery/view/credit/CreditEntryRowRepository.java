package lottery.view.credit;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface CreditEntryRowRepository extends Repository<CreditEntryRow, CreditEntryKey> {

    @Query("""
            select line from CreditEntryRow line
            where line.key.userId = :userId and line.key.entry < :before
            order by line.key.entry desc""")
    List<CreditEntryRow> newestBefore(String userId, long before, Limit limit);
}
