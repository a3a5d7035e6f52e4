cat > prompt.txt
cat answer.txt
