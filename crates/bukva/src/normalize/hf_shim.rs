impl super::Normalizer {
    pub fn apply_hf(&self, text: &mut crate::align::AlignedText<'_>) -> crate::Result<()> {
        let aligned = self.apply_aligned(text.text())?;
        for edit in aligned.edits.iter().rev() {
            let removed = text.text()[edit.original.clone()].chars().count();
            let new: Vec<(char, isize)> = aligned.text[edit.normalized.clone()].chars().map(|c| (c, 1)).collect();
            text.transform_range(edit.original.clone(), new, removed);
        }
        Ok(())
    }
}
